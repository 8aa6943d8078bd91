# ${name}

A skill for npuflow: one optimization of a deployment plan. docs/skills.md in npuflow's tree says how skills work.

| | |
|---|---|
| `src/main/java/${path}/${type}.java` | the skill |
| `src/test/java/${path}/${type}Test.java` | its tests, and by `SkillTest` the test kit |
| `src/main/resources/META-INF/services/dev.npuflow.skill.Skill` | names the class, so that npuflow finds it |
| `SKILL.md` | describes it; the jar holds it as `META-INF/npuflow/skills/${name}/SKILL.md` |

With a JDK 25 and npuflow on the PATH (or `NPUFLOW_HOME` set to its directory):

    sh build.sh
    npuflow skills check .
    npuflow phase5 tiny_kjv --skills-dir target --only ${name} --workspace .npuflow

With Maven, after `make install` in npuflow's tree, one command compiles, tests and packs:

    mvn verify
