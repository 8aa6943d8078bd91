package dev.npuflow.workflow.catalog;

import java.util.regex.Pattern;

/// What a skill may be called: lower case words and digits, joined by hyphens, at most 64 characters.
public final class SkillName {

    private static final Pattern WORDS = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
    private static final int LONGEST = 64;

    private SkillName() {}

    public static boolean fits(String name) {
        return name.length() <= LONGEST && WORDS.matcher(name).matches();
    }
}
