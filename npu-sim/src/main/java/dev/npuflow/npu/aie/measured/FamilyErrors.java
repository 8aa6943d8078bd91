package dev.npuflow.npu.aie.measured;

import dev.npuflow.npu.aie.measured.SimplerModels.Work;
import dev.npuflow.npu.machine.DeviceDescription;
import java.util.Comparator;
import java.util.List;
import org.hipparchus.stat.StatUtils;
import org.hipparchus.stat.descriptive.rank.Median;

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
        double[] sizes = rows.stream().mapToDouble(Scored::size).toArray();
        Scored worst = rows.stream().max(Comparator.comparingDouble(Scored::size)).orElseThrow();
        List<Work> work = rows.stream().map(Scored::work).toList();
        return new FamilyErrors(family, rows.size(), StatUtils.mean(sizes), new Median().evaluate(sizes), worst.size(), worst.rowId(),
                SimplerModels.roofline(work, device), SimplerModels.affine(work));
    }
}
