package dev.npuflow.npu.device;

import dev.npuflow.fault.NearestName;
import dev.npuflow.fault.NpuflowException;
import java.util.Set;
import java.util.TreeSet;

/// Hands out the numbers of a device file, each checked, and knows which were never asked for.
public final class FieldReader {

    private final DeviceFile file;
    private final Set<String> unread;
    private final Set<String> absent = new TreeSet<>();

    public FieldReader(DeviceFile file) {
        this.file = file;
        unread = new TreeSet<>(file.quantities().keySet());
    }

    /// @throws NpuflowException NPF-305 missing, NPF-306 out of bounds
    public double number(String path, double least, double greatest) {
        Quantity quantity = file.quantities().get(path);
        if (quantity == null) {
            throw NpuflowException.badInput("NPF-305", file.file() + ": field " + path + " is missing", "a number", "the value of a shipped device, such as npu2.yaml");
        }
        unread.remove(path);
        if (!(quantity.value() >= least && quantity.value() <= greatest)) {
            throw NpuflowException.badInput("NPF-306", file.where(path) + ": field " + path + " (" + plain(quantity.value()) + ")",
                    "a number from " + plain(least) + " to " + plain(greatest), "the value of npu2.yaml");
        }
        return quantity.value();
    }

    public boolean has(String path) {
        boolean there = file.quantities().containsKey(path);
        if (!there) {
            absent.add(path);
        }
        return there;
    }

    public int whole(String path, int least, int greatest) {
        double value = number(path, least, greatest);
        if (value != Math.rint(value)) {
            throw NpuflowException.badInput("NPF-306", file.where(path) + ": field " + path + " (" + value + ")", "a whole number", "rounding it");
        }
        return (int) value;
    }

    /// GB/s to bytes per second.
    public double rate(String path) {
        return number(path, 1e-3, 1e5) * 1e9;
    }

    public long nanoseconds(String path) {
        return Math.round(number(path, 0, 1e9) * 1e3);
    }

    public long microseconds(String path) {
        return Math.round(number(path, 0, 1e9) * 1e6);
    }

    /// Times of control path and host on this machine over those of the machine they were calibrated on.
    public double slowness() {
        return number("machine.control_and_host_time", 0.1, 10);
    }

    public double cycles(String path) {
        return number(path, 0, 1e6);
    }

    /// @throws NpuflowException NPF-303 when the file has a field that the machine did not ask for
    public void done() {
        if (!unread.isEmpty()) {
            String path = unread.iterator().next();
            throw NpuflowException.badInput("NPF-303", file.where(path) + ": field " + path + " is unknown", "the fields of kind " + file.kind(),
                    NearestName.of(path, absent).orElse("removing it, or another spelling"));
        }
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value) : Double.toString(value);
    }
}
