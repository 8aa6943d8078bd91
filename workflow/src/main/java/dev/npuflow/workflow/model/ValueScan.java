package dev.npuflow.workflow.model;

import dev.npuflow.workflow.model.safetensors.ElementType;
import dev.npuflow.workflow.model.safetensors.SafetensorsFile;
import dev.npuflow.workflow.model.safetensors.TensorEntry;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// All values of a set of weight files read over once, whether a run would use their tensor or not.
///
/// @param tensors  tensors that were read over
/// @param values   values in them
/// @param bad      tensors that hold values which no model can compute with, in the order of the files
/// @param unread   types of tensors that were not read over, such as quantized ones
public record ValueScan(int tensors, long values, List<BadValues> bad, SortedSet<ElementType> unread) {

    /// Told before each tensor is read over.
    public interface Listener {

        /// @param index counts from 1
        void tensor(int index, int count, String name);
    }

    public ValueScan {
        bad = List.copyOf(bad);
        unread = new TreeSet<>(unread);
    }

    /// Of a directory's weights, those that a run would read; none are read over where it holds none.
    ///
    /// @throws dev.npuflow.fault.NpuflowException NPF-100 to NPF-133 naming the file that is damaged
    public static ValueScan ofDirectory(Path directory, Listener listener) {
        return of(WeightFiles.find(directory).files(), listener);
    }

    /// Of one safetensors file.
    public static ValueScan ofFile(Path file, Listener listener) {
        return of(List.of(file), listener);
    }

    private static ValueScan of(List<Path> files, Listener listener) {
        try (Arena arena = Arena.ofShared()) {
            List<SafetensorsFile> mapped = files.stream().map(file -> SafetensorsFile.map(file, arena)).toList();
            int count = mapped.stream().mapToInt(file -> file.tensors().size()).sum();
            int index = 0;
            long values = 0;
            int tensors = 0;
            List<BadValues> bad = new ArrayList<>();
            SortedSet<ElementType> unread = new TreeSet<>();
            for (SafetensorsFile file : mapped) {
                for (TensorEntry entry : file.tensors()) {
                    listener.tensor(++index, count, entry.name());
                    if (TensorValues.READ.contains(entry.type())) {
                        tensors++;
                        values += entry.bytes() / (entry.type().bits() / 8);
                        TensorValues.bad(file, entry).ifPresent(bad::add);
                    } else {
                        unread.add(entry.type());
                    }
                }
            }
            return new ValueScan(tensors, values, bad, unread);
        }
    }
}
