package dev.npuflow.npu.device;

import java.math.BigDecimal;
import java.math.MathContext;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/// Writes a device file from its quantities; comments are not kept, sources are.
public final class DeviceFileText {

    private static final YAMLMapper YAML = YAMLMapper.builder().disable(YAMLWriteFeature.WRITE_DOC_START_MARKER, YAMLWriteFeature.SPLIT_LINES).build();

    private DeviceFileText() {}

    public static String of(DeviceFile file) {
        ObjectNode root = YAML.createObjectNode().put("device", file.name()).put("kind", file.kind());
        file.quantities().forEach((path, quantity) -> put(root, path, quantity));
        return YAML.writeValueAsString(root);
    }

    private static void put(ObjectNode root, String path, Quantity quantity) {
        ObjectNode section = root;
        String name = path;
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.')) {
            section = section.withObjectProperty(name.substring(0, dot));
            name = name.substring(dot + 1);
        }
        if (quantity.calibrated()) {
            ObjectNode value = section.putObject(name).put("value", number(quantity.value())).put("calibrated", quantity.origin());
            value.putArray("plausible").add(number(quantity.low())).add(number(quantity.high()));
        } else if (quantity.origin().isEmpty()) {
            section.put(name, number(quantity.value()));
        } else {
            section.putObject(name).put("value", number(quantity.value())).put("source", quantity.origin());
        }
    }

    /// Twelve digits, and no exponent that YAML might read as text.
    private static BigDecimal number(double value) {
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(12)).stripTrailingZeros();
        return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
    }
}
