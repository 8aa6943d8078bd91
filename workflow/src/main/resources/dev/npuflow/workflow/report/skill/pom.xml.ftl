<?xml version="1.0" encoding="UTF-8"?>
<!-- npuflow's own artifacts come from the local Maven repository: run 'make install' in npuflow's tree once. -->
<project xmlns="http://maven.apache.org/POM/4.0.0"
         xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd">
  <modelVersion>4.0.0</modelVersion>
  <groupId>${package}</groupId>
  <artifactId>${name}</artifactId>
  <version>1.0.0</version>

  <properties>
    <npuflow.version>0.1.0</npuflow.version>
    <maven.compiler.release>25</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>

  <dependencies>
    <dependency><groupId>dev.npuflow</groupId><artifactId>npuflow-skill-api</artifactId><version>${r"${npuflow.version}"}</version><scope>provided</scope></dependency>
    <dependency><groupId>dev.npuflow</groupId><artifactId>npuflow-skill-testkit</artifactId><version>${r"${npuflow.version}"}</version><scope>test</scope></dependency>
  </dependencies>

  <build>
    <finalName>${name}</finalName>
    <resources>
      <resource><directory>src/main/resources</directory></resource>
      <resource><directory>${r"${project.basedir}"}</directory><includes><include>SKILL.md</include></includes><targetPath>META-INF/npuflow/skills/${name}</targetPath></resource>
    </resources>
    <plugins>
      <!-- Maven may run on an older JDK; this finds a JDK 25 on the machine, or the one that JAVA25_HOME names. -->
      <plugin>
        <groupId>org.apache.maven.plugins</groupId><artifactId>maven-toolchains-plugin</artifactId><version>3.2.0</version>
        <executions><execution><goals><goal>select-jdk-toolchain</goal></goals><configuration><version>[25,)</version></configuration></execution></executions>
      </plugin>
      <plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
      <plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-compiler-plugin</artifactId><version>3.14.1</version></plugin>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId><artifactId>maven-surefire-plugin</artifactId><version>3.5.4</version>
        <configuration><argLine>--add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED</argLine></configuration>
      </plugin>
      <plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-jar-plugin</artifactId><version>3.4.2</version></plugin>
    </plugins>
  </build>
</project>
