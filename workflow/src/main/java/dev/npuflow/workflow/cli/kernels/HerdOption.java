package dev.npuflow.workflow.cli.kernels;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Herd;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/// How many cores a kernel gets.
public final class HerdOption {

    private static final Pattern HERD = Pattern.compile("([1-9][0-9]{0,3})(?:x([1-9][0-9]{0,3}))?");

    @Option(names = "--herd", paramLabel = "C|CxR", defaultValue = "8",
            description = "columns, or columns x rows (default: ${DEFAULT-VALUE}, rows as in mlir-air's benchmark)")
    private String herd;

    /// @param usualRows the rows where none are stated
    /// @throws NpuflowException NPF-834 for what is no herd
    public Herd herd(int usualRows) {
        Matcher matcher = HERD.matcher(herd);
        if (!matcher.matches()) {
            throw NpuflowException.badInput("NPF-834", "--herd", herd, "columns, or columns x rows", "--herd 8x1");
        }
        return new Herd(Integer.parseInt(matcher.group(1)), matcher.group(2) == null ? usualRows : Integer.parseInt(matcher.group(2)));
    }
}
