package dev.npuflow.npu.clock;

import dev.npuflow.npu.engine.Picoseconds;
import dev.npuflow.npu.trace.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/// Spans as text: a line a track, a character a slice of the window. A filled slice is one in which the track was busy most of the time.
public final class Timeline {

    private final long from;
    private final long to;
    private final int slices;
    private final TreeMap<String, double[]> tracks = new TreeMap<>();
    private long last;

    /// @param from   start of the window
    /// @param to     its end
    /// @param slices characters of a line
    public Timeline(Picoseconds from, Picoseconds to, int slices) {
        this.from = from.value();
        this.to = to.value();
        this.slices = slices;
    }

    public void add(Span span) {
        last = Math.max(last, span.endPicoseconds());
        if (span.track().equals("launches")) {
            return;
        }
        double[] busy = tracks.computeIfAbsent(span.track(), _ -> new double[slices]);
        double slice = (double) (to - from) / slices;
        for (int at = 0; at < slices; at++) {
            double begin = from + at * slice;
            busy[at] += Math.max(0, Math.min(span.endPicoseconds(), begin + slice) - Math.max(span.startPicoseconds(), begin)) / slice;
        }
    }

    /// Of the last span.
    public Picoseconds end() {
        return new Picoseconds(last);
    }

    /// Of each track the share of each slice in which it was busy, from 0 to 1.
    public SortedMap<String, List<Double>> busy() {
        SortedMap<String, List<Double>> busy = new TreeMap<>();
        tracks.forEach((track, shares) -> busy.put(track, DoubleStream.of(shares).map(share -> Math.min(1, share)).boxed().toList()));
        return busy;
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%.3f us to %.3f us of %.3f us; # busy, + partly", new Picoseconds(from).microseconds(),
                new Picoseconds(to).microseconds(), end().microseconds()));
        int width = tracks.keySet().stream().mapToInt(String::length).max().orElse(0);
        tracks.forEach((track, busy) -> {
            char[] line = new char[slices];
            for (int at = 0; at < slices; at++) {
                line[at] = busy[at] > 0.5 ? '#' : busy[at] > 0.02 ? '+' : '.';
            }
            lines.add(String.format(Locale.ROOT, "%-" + width + "s |%s|", track, new String(line)));
        });
        return lines;
    }
}
