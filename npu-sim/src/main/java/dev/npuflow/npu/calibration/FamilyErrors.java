package dev.npuflow.npu.calibration;

import dev.npuflow.npu.calibration.SimplerModels.Work;
import dev.npuflow.npu.device.DeviceDescription;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Absolute relative errors of the rows of one family, and the mean errors of two simpler models on the same rows.
public record FamilyErrors(String family, int rows, double mean, double median, double worst, String worstRow, double rooflineMean, double affineMean) {

    /// A measured row that was simulated.
    ///
    /// @param error simulated over measured, minus one
    /// @param work  for the simpler models
    public record Scored(String rowId, double error, Work work) {

        private double size() {
            return Math.abs(error);
        }
    }

    /// @param rows at least one; of two that are equally wrong, the later is the worst row
    public static FamilyErrors of(String family, List<Scored> rows, DeviceDescription device) {
        double[] sizes = rows.stream().mapToDouble(Scored::size).sorted().toArray();
        int middle = sizes.length / 2;
        double median = sizes.length % 2 == 1 ? sizes[middle] : (sizes[middle - 1] + sizes[middle]) / 2;
        Scored worst = rows.stream().max(Comparator.comparingDouble(Scored::size)).orElseThrow();
        List<Work> work = rows.stream().map(Scored::work).toList();
        return new FamilyErrors(family, rows.size(), Arrays.stream(sizes).average().orElseThrow(), median, worst.size(), worst.rowId(),
                SimplerModels.roofline(work, device), SimplerModels.affine(work));
    }
}
