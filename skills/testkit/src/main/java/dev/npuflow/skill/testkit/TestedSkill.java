package dev.npuflow.skill.testkit;

import java.lang.reflect.Constructor;
import java.util.Optional;

/// Which skill a test class is for: what [SkillTest#skill] of a new instance answers.
final class TestedSkill {

    private TestedSkill() {}

    /// Empty for a class that is no test of a skill, or one whose instance only JUnit can make.
    static Optional<Class<?>> of(Class<?> test) {
        if (!SkillTest.class.isAssignableFrom(test)) {
            return Optional.empty();
        }
        try {
            Constructor<?> constructor = test.getDeclaredConstructor();
            constructor.setAccessible(true);
            return Optional.of(((SkillTest) constructor.newInstance()).skill().getClass());
        } catch (ReflectiveOperationException | RuntimeException | LinkageError unmade) {
            return Optional.empty();
        }
    }
}
