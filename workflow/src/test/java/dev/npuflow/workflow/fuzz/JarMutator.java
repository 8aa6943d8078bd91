package dev.npuflow.workflow.fuzz;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/// Damages a jar by its entries: their names, the service file, the classes.
record JarMutator() implements Mutator {

    private static final List<String> NAMES = List.of("../../escaped.class", "/etc/absolute", "C:\\x", "a/../../b", "META-INF/versions/9/x", "META-INF/MANIFEST.MF", "META-INF/X.SF", "module-info.class",
            "\0", "\u202e.class", "\u001b[2J", "x".repeat(60_000), "META-INF/services/", "META-INF/services/dev.npuflow.skill.Skill/", ".", "..", "");

    private record Entry(String name, byte[] bytes) {}

    @Override public byte[] change(byte[] input, Random random, StringBuilder said) {
        List<Entry> entries = entries(input);
        if (entries.isEmpty()) {
            return ByteMutator.EVERYWHERE.change(input, random, said);
        }
        int at = random.nextInt(entries.size());
        Entry entry = entries.get(at);
        switch (random.nextInt(6)) {
            case 0 -> {
                String name = NAMES.get(random.nextInt(NAMES.size()));
                entries.set(at, new Entry(name, entry.bytes()));
                said.append("entry %s is called %s".formatted(entry.name(), name.length() > 60 ? "x…" : name));
            }
            case 1 -> {
                entries.remove(at);
                said.append("without ").append(entry.name());
            }
            case 2 -> {
                entries.add(new Entry(NAMES.get(random.nextInt(NAMES.size())), entry.bytes()));
                said.append("a further entry");
            }
            case 3 -> {
                entries.set(at, new Entry(entry.name(), new byte[random.nextInt(1 << 16)]));
                said.append("zeros in ").append(entry.name());
            }
            default -> {
                said.append(entry.name()).append(": ");
                Mutator inside = entry.name().endsWith(".class") ? ByteMutator.EVERYWHERE : new TextMutator(". #");
                entries.set(at, new Entry(entry.name(), inside.change(entry.bytes(), random, said)));
            }
        }
        return packed(entries);
    }

    private static List<Entry> entries(byte[] jar) {
        List<Entry> entries = new ArrayList<>();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                entries.add(new Entry(entry.getName(), in.readNBytes(1 << 20)));
            }
        } catch (IOException | IllegalArgumentException damaged) {
            return new ArrayList<>(Collections.emptyList());
        }
        return entries;
    }

    private static byte[] packed(List<Entry> entries) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            for (Entry entry : entries) {
                ZipEntry header = new ZipEntry(entry.name());
                header.setTime(0);
                try {
                    out.putNextEntry(header);
                } catch (ZipException twice) {
                    continue;
                }
                out.write(entry.bytes());
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }
}
