package dev.npuflow.npu.device;

import dev.npuflow.npu.NpuException;
import java.util.Set;
import java.util.TreeSet;

/// Hands out the numbers of a device file, each checked, and knows which were never asked for.
final class FieldReader {

    private final DeviceFile file;
    private final Set<String> unread;

    FieldReader(DeviceFile file) {
        this.file = file;
        unread = new TreeSet<>(file.quantities().keySet());
    }

    /// @throws NpuException NPF-305 missing, NPF-306 out of bounds
    double number(String path, double least, double greatest) {
        Quantity quantity = file.quantities().get(path);
        if (quantity == null) {
            throw new NpuException("NPF-305", file.file() + ": field " + path + " is missing", "a number", "the value of npu2.yaml");
        }
        unread.remove(path);
        if (!(quantity.value() >= least && quantity.value() <= greatest)) {
            throw new NpuException("NPF-306", file.file() + ": field " + path + " (" + plain(quantity.value()) + ")",
                    "a number from " + plain(least) + " to " + plain(greatest), "the value of npu2.yaml");
        }
        return quantity.value();
    }

    boolean has(String path) {
        return file.quantities().containsKey(path);
    }

    int whole(String path, int least, int greatest) {
        double value = number(path, least, greatest);
        if (value != Math.rint(value)) {
            throw new NpuException("NPF-306", file.file() + ": field " + path + " (" + value + ")", "a whole number", "rounding it");
        }
        return (int) value;
    }

    /// GB/s to bytes per second.
    double rate(String path) {
        return number(path, 1e-3, 1e5) * 1e9;
    }

    long nanoseconds(String path) {
        return Math.round(number(path, 0, 1e9) * 1e3);
    }

    long microseconds(String path) {
        return Math.round(number(path, 0, 1e9) * 1e6);
    }

    /// Times of control path and host on this machine over those of the machine they were calibrated on.
    double slowness() {
        return number("machine.control_and_host_time", 0.1, 10);
    }

    double cycles(String path) {
        return number(path, 0, 1e6);
    }

    /// @throws NpuException NPF-303 when the file has a field nobody asked for
    void done() {
        if (!unread.isEmpty()) {
            throw new NpuException("NPF-303", file.file() + ": field " + unread.iterator().next() + " is unknown", "the fields of npu2.yaml",
                    "removing it, or another spelling");
        }
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value) : Double.toString(value);
    }
}
