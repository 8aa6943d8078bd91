package dev.npuflow.npu.device;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.Map;

/// Writes a device file from its quantities; comments are not kept, sources are.
public final class DeviceFileText {

    private DeviceFileText() {}

    public static String of(DeviceFile file) {
        StringBuilder text = new StringBuilder("device: ").append(file.name()).append('\n');
        String section = "";
        for (Map.Entry<String, Quantity> entry : file.quantities().entrySet()) {
            int dot = entry.getKey().lastIndexOf('.');
            String parent = entry.getKey().substring(0, Math.max(0, dot));
            if (!parent.equals(section)) {
                text.append('\n').append(parent).append(":\n");
                section = parent;
            }
            text.append(dot < 0 ? "" : "  ").append(entry.getKey().substring(dot + 1)).append(": ").append(line(entry.getValue())).append('\n');
        }
        return text.toString();
    }

    private static String line(Quantity quantity) {
        String value = number(quantity.value());
        if (quantity.calibrated()) {
            return String.format(Locale.ROOT, "{value: %s, calibrated: \"%s\", plausible: [%s, %s]}", value, escaped(quantity.origin()),
                    number(quantity.low()), number(quantity.high()));
        }
        return quantity.origin().isEmpty() ? value : String.format(Locale.ROOT, "{value: %s, source: \"%s\"}", value, escaped(quantity.origin()));
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    private static String number(double value) {
        return new BigDecimal(value).round(new MathContext(12)).stripTrailingZeros().toPlainString();
    }
}
