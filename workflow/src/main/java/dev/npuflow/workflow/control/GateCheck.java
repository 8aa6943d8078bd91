package dev.npuflow.workflow.control;

import dev.npuflow.fault.ExitCode;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.control.ControlResult.Answer;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.measurement.SimTarget;
import dev.npuflow.workflow.model.LanguageModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Tries the gate: each control runs on the NPU and is judged against the right model's reference.
public final class GateCheck {

    private final LanguageModel right;
    private final Function<LanguageModel, SimTarget> target;
    private final int prompts;
    private final Watch watch;

    /// @param target of a model, judged by the right one's reference
    /// @param prompts that each control is judged on
    public GateCheck(LanguageModel right, Function<LanguageModel, SimTarget> target, int prompts, Watch watch) {
        this.right = right;
        this.target = target;
        this.prompts = prompts;
        this.watch = watch;
    }

    /// Told each control as it begins, from 1.
    @FunctionalInterface
    public interface Watch {
        void control(int number, int of, Control control);
    }

    /// The right model is judged first, outside of the score: where the reference cannot read a prompt, every wrong deployment would be refused for that and
    /// count as caught.
    ///
    /// @throws NpuflowException of the right model on its own baseline, such as NPF-163 for prompts that it has no positions for
    public GateScore run(List<Control> controls) {
        try (SimTarget npu = target.apply(right)) {
            npu.verify(npu.baseline(), prompts);
        }
        List<ControlResult> results = new ArrayList<>();
        for (Control control : controls) {
            watch.control(results.size() + 1, controls.size(), control);
            results.add(tried(control));
        }
        return new GateScore(prompts, results);
    }

    private ControlResult tried(Control control) {
        LanguageModel model = control.model().apply(right);
        try (SimTarget npu = target.apply(model)) {
            Deployment plan = control.plan().apply(npu.baseline());
            return result(control, npu.verify(plan, prompts));
        } catch (NpuflowException refused) {
            if (refused.exitCode() == ExitCode.ENVIRONMENT) {
                throw refused;
            }
            return refused(control, refused.getMessage());
        } catch (IllegalArgumentException refused) {
            return refused(control, String.valueOf(refused.getMessage()));
        } finally {
            if (!model.equals(right)) {
                model.close();
            }
        }
    }

    private static ControlResult refused(Control control, String reason) {
        return new ControlResult(control.kind(), control.name(), control.wrong(), Answer.REFUSED, Optional.empty(), reason);
    }

    private static ControlResult result(Control control, GateResult gate) {
        Answer answer = gate.verdict() == Verdict.PASS ? Answer.PASSED : gate.upstreamPassed() < gate.prompts().size() ? Answer.UPSTREAM
                : gate.everyStepPassed() < gate.prompts().size() ? Answer.EVERY_STEP : Answer.DISTRIBUTION;
        return new ControlResult(control.kind(), control.name(), control.wrong(), answer, gate.distribution(), gate.reason());
    }
}
