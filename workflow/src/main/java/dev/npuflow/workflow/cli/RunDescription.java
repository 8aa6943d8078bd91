package dev.npuflow.workflow.cli;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.workflow.catalog.GuardedSkill;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.generation.GateFile;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Run;
import dev.npuflow.workflow.model.ModelPrompts;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.phase.PhaseDescription;
import dev.npuflow.workflow.phase.PhaseOptions;
import dev.npuflow.workflow.provenance.Build;
import dev.npuflow.workflow.text.ShortHash;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The options that decide a run's result, as the ledger holds them: a resumed run must share them, and they tell an experiment from a usual run. What is a file, a
/// skill or npuflow itself counts by its content.
public final class RunDescription {

    private static final String SKILLS = "skills";
    private static final String SKILL_OPTIONS = "skill_options";
    private static final String SELF_CHECK = "self_check";
    private static final String DRY_RUN = "dry_run";
    private static final String PROMPTS = "prompts";
    private static final String TOKENS = "tokens";
    private static final String PROMPT_IDS = "prompt_ids";
    private static final String MINIMUM_GAIN = "min_gain";
    private static final String GATE_FILE = "gate_file";
    private static final String GATE_FILE_PATH = "gate_file_path";
    private static final String SKILL_CODE = "skill_code";
    private static final String BUILD = "build";

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    private RunDescription() {}

    /// @param prompts  those that may judge, by their ids
    /// @param gateFile what the gate holds a plan against, where it is not the reference; by its content
    static SortedMap<String, String> of(PhaseOptions options, ModelPrompts prompts, Optional<Path> gateFile) {
        SortedMap<String, String> described = new TreeMap<>();
        described.put(SKILLS, String.join(",", options.skills()));
        described.put(SKILL_OPTIONS, CanonicalJson.write(options.skillOptions()));
        described.put(SELF_CHECK, Boolean.toString(options.selfCheck()));
        described.put(DRY_RUN, Boolean.toString(options.dryRun()));
        described.put(PROMPTS, Integer.toString(options.prompts()));
        described.put(TOKENS, Integer.toString(options.tokens()));
        described.put(MINIMUM_GAIN, Double.toString(options.gain().minimumGain()));
        described.put(PROMPT_IDS, CanonicalJson.hash(prompts.gate().stream().limit(options.prompts()).map(Prompt::ids).toList()));
        described.put(BUILD, Build.identity());
        gateFile.ifPresent(file -> {
            described.put(GATE_FILE, CanonicalJson.hash(GateFile.read(file)));
            described.put(GATE_FILE_PATH, file.toAbsolutePath().normalize().toString());
        });
        return described;
    }

    /// As [#of(PhaseOptions, ModelPrompts, Optional)], with the code of each skill.
    static SortedMap<String, String> of(PhaseOptions options, ModelPrompts prompts, Optional<Path> gateFile, List<LoadedSkill> skills) {
        SortedMap<String, String> described = of(options, prompts, gateFile);
        SortedMap<String, String> code = new TreeMap<>();
        skills.forEach(skill -> code.put(skill.name(), skill.codeHash()));
        described.put(SKILL_CODE, CanonicalJson.write(code));
        return described;
    }

    /// In what another run differs from a recorded one, each thing by its name: `self_check false, and was true`. Where the gate file lies makes no difference.
    public static List<String> differences(SortedMap<String, String> recorded, SortedMap<String, String> other) {
        SortedSet<String> names = new TreeSet<>(recorded.keySet());
        names.addAll(other.keySet());
        names.remove(GATE_FILE_PATH);
        return names.stream().flatMap(name -> switch (name) {
            case SKILL_CODE, SKILL_OPTIONS -> differences(name.replace('_', ' ').concat(" of "), map(recorded, name), map(other, name));
            default -> differences("", one(recorded, name), one(other, name));
        }).toList();
    }

    private static Stream<String> differences(String kind, SortedMap<String, String> then, SortedMap<String, String> now) {
        SortedSet<String> names = new TreeSet<>(then.keySet());
        names.addAll(now.keySet());
        return names.stream().filter(name -> !now.getOrDefault(name, "").equals(then.getOrDefault(name, "")))
                .map(name -> "%s%s %s, and was %s".formatted(kind, name, shown(now.getOrDefault(name, "")), shown(then.getOrDefault(name, ""))));
    }

    private static SortedMap<String, String> one(SortedMap<String, String> described, String name) {
        SortedMap<String, String> one = new TreeMap<>();
        one.put(name, described.getOrDefault(name, ""));
        return one;
    }

    private static SortedMap<String, String> map(SortedMap<String, String> described, String name) {
        SortedMap<String, String> parts = new TreeMap<>();
        try {
            CanonicalJson.read(described.getOrDefault(name, "{}"), TreeMap.class).forEach((key, value) -> parts.put(String.valueOf(key), String.valueOf(value)));
        } catch (IllegalArgumentException noMap) {
            parts.put("all", described.getOrDefault(name, ""));
        }
        return parts;
    }

    /// A hash as text shows it.
    private static String shown(String value) {
        return value.isEmpty() ? "none" : HASH.matcher(value).replaceAll(hash -> ShortHash.of(hash.group()));
    }

    /// In what two runs were judged by other things, by their names; empty where the judge is the same.
    public static List<String> otherJudge(SortedMap<String, String> one, SortedMap<String, String> other) {
        return Stream.of(PROMPTS, PROMPT_IDS, GATE_FILE).filter(part -> !one.getOrDefault(part, "").equals(other.getOrDefault(part, ""))).toList();
    }

    /// Whether two runs were judged by the same: a phase that passed on other prompts, or against recorded tokens, has not passed for this one.
    static boolean sameJudge(SortedMap<String, String> one, SortedMap<String, String> other) {
        return otherJudge(one, other).isEmpty();
    }

    /// What a recorded run handed to its skills.
    static SortedMap<String, String> skillOptions(Ledger ledger, Run recorded) {
        SortedMap<String, String> options = new TreeMap<>();
        ledger.read(recorded.options().getOrDefault(SKILL_OPTIONS, "{}"), Map.class)
                .forEach((key, value) -> options.put(String.valueOf(key), String.valueOf(value)));
        return options;
    }

    /// What of a run is not as in one without options, in the words of the options. Phase 3 tries no skills: what is said of them changes nothing there.
    static List<String> departures(OpenedDeployment opened, GatedPhase phase, SortedMap<String, String> described) {
        boolean optimizes = phase != GatedPhase.FULL_MODEL;
        PhaseDescription description = optimizes ? PhaseDescription.of(phase) : PhaseDescription.PREFILL;
        List<String> skills = SkillCatalog.load(Optional.empty()).skills().stream().map(LoadedSkill::name).toList();
        SortedMap<String, String> usual = of(new PhaseOptions(skills, new TreeMap<>(), true, false, opened.prompts().phaseGate(),
                opened.clamp(description.tokens()), GuardedSkill.USUAL_LIMIT), opened.prompts(), Optional.empty());
        SequencedMap<String, String> words = new LinkedHashMap<>();
        if (optimizes) {
            words.put(SKILLS, choice(skills, List.of(described.getOrDefault(SKILLS, "").split(","))));
            words.put(SKILL_OPTIONS, "--skill-option or --conservative");
            words.put(SELF_CHECK, "--self-check");
            words.put(DRY_RUN, "--dry-run");
            words.put(MINIMUM_GAIN, "--min-gain");
        }
        words.put(PROMPTS, "--full");
        words.put(TOKENS, "the number of tokens");
        words.put(GATE_FILE, "--gate-file");
        return differing(words, usual, described);
    }

    /// What of an ablation is not as its Phase 5 was run; an older record holds the skills alone.
    ///
    /// @param kept by the Phase 5
    static List<String> departures(Run phase5, List<String> kept, SortedMap<String, String> ablation) {
        SortedMap<String, String> usual = new TreeMap<>(phase5.options());
        usual.put(SKILLS, String.join(",", kept));
        SequencedMap<String, String> words = new LinkedHashMap<>();
        words.put(SKILLS, "--skills");
        if (ablation.containsKey(SKILL_OPTIONS)) {
            words.put(SKILL_OPTIONS, "--skill-option or --conservative");
            words.put(GATE_FILE, "--gate-file");
        }
        return differing(words, usual, ablation);
    }

    private static List<String> differing(SequencedMap<String, String> words, SortedMap<String, String> usual, SortedMap<String, String> given) {
        return words.entrySet().stream().filter(word -> !given.getOrDefault(word.getKey(), "").equals(usual.getOrDefault(word.getKey(), "")))
                .map(Map.Entry::getValue).toList();
    }

    /// The option that chose these skills.
    static String choice(List<String> usual, List<String> chosen) {
        if (!usual.containsAll(chosen)) {
            return "--skills-dir";
        }
        return chosen.containsAll(usual) ? "--order" : "--only";
    }
}
