package dev.npuflow.npu.calibration;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.ObjectReader;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvReadFeature;

/// A CSV file (RFC 4180) with a header line. Fields are read by name; a fault names file, row, field and what was expected.
public record Table(String file, List<Row> rows) {

    private static final ObjectReader CSV = CsvMapper.builder().enable(CsvReadFeature.WRAP_AS_ARRAY, CsvReadFeature.SKIP_EMPTY_LINES).build()
            .readerFor(String[].class);
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final int MAXIMUM_BYTES = 16 << 20;

    public Table {
        rows = List.copyOf(rows);
    }

    /// @throws NpuflowException NPF-310 unreadable, NPF-311 a row of another width or an open quote, NPF-312 a missing column
    public static Table read(Path path, List<String> columns) {
        try {
            if (!Files.isRegularFile(path) || Files.size(path) > MAXIMUM_BYTES) {
                throw NpuflowException.badInput("NPF-310", path + " cannot be read", "a CSV file of at most 16 MiB", "another path");
            }
            return parse(path.getFileName().toString(), Files.readString(path, StandardCharsets.UTF_8), columns);
        } catch (IOException e) {
            throw NpuflowException.badInput("NPF-310", path + " cannot be read", e.getMessage(), "a UTF-8 CSV file", "another path");
        }
    }

    public static Table parse(String file, String text, List<String> columns) {
        List<List<String>> lines = split(file, text);
        if (lines.isEmpty()) {
            throw NpuflowException.badInput("NPF-312", file + ": row 1 is missing", "a header line with " + columns.getFirst(),
                    "the header of the published files");
        }
        List<String> header = lines.getFirst();
        for (String column : columns) {
            if (!header.contains(column)) {
                throw NpuflowException.badInput("NPF-312", file + ": row 1 has no field " + column, "columns " + String.join(", ", columns),
                        "adding the column");
            }
        }
        List<Row> rows = new ArrayList<>();
        for (int line = 1; line < lines.size(); line++) {
            List<String> fields = lines.get(line);
            if (fields.size() != header.size()) {
                throw NpuflowException.badInput("NPF-311", file + ": row " + (line + 1) + " has " + fields.size() + " fields", header.size() + " fields",
                        "quoting commas, and a decimal point instead of a decimal comma");
            }
            SequencedMap<String, String> row = new LinkedHashMap<>();
            for (int field = 0; field < fields.size(); field++) {
                row.put(header.get(field), fields.get(field).strip());
            }
            rows.add(new Row(file, line + 1, row));
        }
        return new Table(file, rows);
    }

    private static List<List<String>> split(String file, String text) {
        List<List<String>> lines = new ArrayList<>();
        try (MappingIterator<String[]> rows = CSV.readValues(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text)) {
            while (rows.hasNextValue()) {
                lines.add(List.of(rows.nextValue()));
            }
        } catch (JacksonException e) {
            throw NpuflowException.badInput("NPF-311", file + ": row " + (lines.size() + 1) + " has an open quote, or text beside a quoted field", "quotes around whole fields",
                    "doubling quotes within quotes");
        }
        return lines;
    }

    /// One row; numbers are plain decimals.
    public record Row(String file, int line, SequencedMap<String, String> fields) {

        public Row {
            fields = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(fields));
        }

        /// Empty where the column is blank or absent.
        public String text(String column) {
            return fields.getOrDefault(column, "");
        }

        /// @throws NpuflowException NPF-313 for anything but a finite, non-negative decimal number or a blank
        public OptionalDouble number(String column) {
            String text = text(column);
            if (text.isEmpty()) {
                return OptionalDouble.empty();
            }
            if (!text.matches("[0-9]{1,18}(\\.[0-9]{1,18})?([eE][-+]?[0-9]{1,2})?")) {
                throw NpuflowException.badInput("NPF-313", file + ": row " + line + " field " + column, text, "a finite decimal number",
                        "a decimal point and no unit");
            }
            return OptionalDouble.of(Double.parseDouble(text));
        }

        /// Zero where blank.
        ///
        /// @throws NpuflowException NPF-313 for anything but a whole number
        public int whole(String column) {
            OptionalDouble value = number(column);
            if (value.isPresent() && (value.getAsDouble() != Math.rint(value.getAsDouble()) || value.getAsDouble() > Integer.MAX_VALUE)) {
                throw NpuflowException.badInput("NPF-313", file + ": row " + line + " field " + column, text(column),
                        "a whole number below 2^31",
                        "a number without a fraction");
            }
            return (int) value.orElse(0);
        }

        /// Named whole numbers, such as `m=2048 k=512`; none where blank.
        ///
        /// @throws NpuflowException NPF-313 for anything else
        public SortedMap<String, Integer> extents(String column) {
            SortedMap<String, Integer> extents = new TreeMap<>();
            for (String extent : text(column).isEmpty() ? new String[0] : text(column).split(" +")) {
                String[] pair = extent.split("=", 2);
                if (pair.length != 2 || !pair[1].matches("[0-9]{1,9}")) {
                    throw NpuflowException.badInput("NPF-313", file + ": row " + line + " field " + column + " (" + text(column) + ")", "names with whole numbers",
                            "m=2048 k=512");
                }
                extents.put(pair[0], Integer.parseInt(pair[1]));
            }
            return extents;
        }
    }
}
