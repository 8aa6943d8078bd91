package dev.npuflow.workflow.control;

import dev.npuflow.workflow.model.Tensor;
import dev.npuflow.workflow.reference.Bfloat16;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Random;

/// A copy of a weight that can be written: rows × columns of bf16.
final class Matrix {

    private static final ValueLayout.OfShort BF16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    final int rows;
    final int columns;
    private final String name;
    private final MemorySegment data;

    private Matrix(String name, int rows, int columns, MemorySegment data) {
        this.name = name;
        this.rows = rows;
        this.columns = columns;
        this.data = data;
    }

    static Matrix copyOf(Tensor tensor, Arena arena) {
        MemorySegment data = arena.allocate(tensor.data().byteSize());
        data.copyFrom(tensor.data());
        return new Matrix(tensor.name(), tensor.rows(), tensor.columns(), data);
    }

    /// What is to be done to a copy.
    @FunctionalInterface
    interface Change {
        void apply(Matrix weight);
    }

    Tensor tensor() {
        return new Tensor(name, rows, columns, data.asReadOnly());
    }

    float get(int row, int column) {
        return Bfloat16.value(data.get(BF16, at(row, column)));
    }

    /// Rounds to bf16.
    void set(int row, int column, float value) {
        data.set(BF16, at(row, column), Bfloat16.bits(value));
    }

    private long at(int row, int column) {
        return 2L * ((long) row * columns + column);
    }

    void scale(float factor) {
        each((row, column) -> set(row, column, factor * get(row, column)));
    }

    void fill(float value) {
        each((row, column) -> set(row, column, value));
    }

    void clearColumns(int from, int count) {
        for (int row = 0; row < rows; row++) {
            for (int column = from; column < from + count; column++) {
                set(row, column, 0);
            }
        }
    }

    void swapRows(int one, int other) {
        for (int column = 0; column < columns; column++) {
            float kept = get(one, column);
            set(one, column, get(other, column));
            set(other, column, kept);
        }
    }

    void swapColumns(int one, int other, int count) {
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < count; column++) {
                float kept = get(row, one + column);
                set(row, one + column, get(row, other + column));
                set(row, other + column, kept);
            }
        }
    }

    /// Only of a square one.
    void transpose() {
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < row; column++) {
                float kept = get(row, column);
                set(row, column, get(column, row));
                set(column, row, kept);
            }
        }
    }

    /// Integers of so many bits with one scale a group of a row, symmetric, as simple weight-only quantizers make them.
    void quantize(int bits, int group) {
        int most = (1 << (bits - 1)) - 1;
        for (int row = 0; row < rows; row++) {
            for (int from = 0; from < columns; from += group) {
                int to = Math.min(columns, from + group);
                float largest = 0;
                for (int column = from; column < to; column++) {
                    largest = Math.max(largest, Math.abs(get(row, column)));
                }
                float scale = largest == 0 ? 1 : largest / most;
                for (int column = from; column < to; column++) {
                    set(row, column, Math.round(get(row, column) / scale) * scale);
                }
            }
        }
    }

    /// Keeps so many bits of each mantissa.
    void keepMantissa(int bits) {
        int dropped = 23 - bits;
        each((row, column) -> {
            int value = Float.floatToRawIntBits(get(row, column));
            set(row, column, Float.intBitsToFloat((value + (1 << (dropped - 1))) & -(1 << dropped)));
        });
    }

    /// Multiplies each value by 1 + share · n, where n is normal: the same for the same seed.
    void disturb(double share, long seed) {
        Random random = new Random(seed);
        each((row, column) -> set(row, column, (float) (get(row, column) * (1 + share * random.nextGaussian()))));
    }

    private interface Place {
        void at(int row, int column);
    }

    private void each(Place place) {
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                place.at(row, column);
            }
        }
    }
}
