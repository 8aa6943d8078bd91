package dev.npuflow.workflow.catalog;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/// Loads a skill's classes. A skill is one try of many, so it may not end the process: where its code calls `System.exit` or the like, a [ProcessEnd] is thrown.
/// What it reaches by reflection it reaches. Its name is in the stack frames of its classes, which tells them from ours.
public final class SkillClassLoader extends URLClassLoader {

    private static final ClassDesc PROCESS_END = ProcessEnd.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc EXIT = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
    private static final MethodTypeDesc EXIT_OF_RUNTIME = EXIT.insertParameterTypes(0, ClassDesc.of("java.lang.Runtime"));

    static {
        registerAsParallelCapable();
    }

    /// Methods have 64 KiB each; a real class has no hundreds of them that are full.
    private static final int LARGEST_CLASS = 16 << 20;

    private final List<URL> places;

    private SkillClassLoader(String name, List<URL> places, ClassLoader parent) {
        super(name, places.toArray(URL[]::new), parent);
        this.places = places;
    }

    /// @param files jars and directories of classes; the first gives the loader its name, which stack frames show
    public static SkillClassLoader of(List<Path> files, ClassLoader parent) {
        return new SkillClassLoader(files.getFirst().getFileName().toString(), files.stream().map(SkillClassLoader::url).toList(), parent);
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("a file always has a URL", e);
        }
    }

    @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
        String path = name.replace('.', '/') + ".class";
        URL file = findResource(path);
        if (file == null) {
            throw new ClassNotFoundException(name);
        }
        try (InputStream in = file.openStream()) {
            byte[] packed = in.readNBytes(LARGEST_CLASS + 1);
            if (packed.length > LARGEST_CLASS) {
                throw new ClassFormatError("%s: more than %d bytes".formatted(name, LARGEST_CLASS));
            }
            byte[] bytes = harmless(packed);
            return defineClass(name, bytes, 0, bytes.length, new ProtectionDomain(new CodeSource(place(file), (Certificate[]) null), null, this, null));
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        } catch (IllegalArgumentException broken) {
            throw new ClassFormatError("%s: %s".formatted(name, broken.getMessage()));
        }
    }

    private URL place(URL file) {
        return places.stream().filter(place -> file.toString().contains(place.toString())).findFirst().orElse(file);
    }

    private byte[] harmless(byte[] bytes) {
        ClassFile format = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(this)));
        ClassModel model = format.parse(bytes);
        boolean ends = StreamSupport.stream(model.constantPool().spliterator(), false)
                .anyMatch(entry -> entry instanceof MemberRefEntry member && replacement(member).isPresent());
        return ends ? format.transformClass(model, ClassTransform.transformingMethodBodies(SkillClassLoader::replace)) : bytes;
    }

    private static void replace(CodeBuilder code, CodeElement element) {
        if (element instanceof InvokeInstruction call && replacement(call.method()).isPresent()) {
            code.invokestatic(PROCESS_END, call.name().stringValue(), replacement(call.method()).get());
        } else {
            code.with(element);
        }
    }

    /// The type of the method of [ProcessEnd] that stands in for a method.
    private static Optional<MethodTypeDesc> replacement(MemberRefEntry method) {
        if (!method.type().equalsString("(I)V")) {
            return Optional.empty();
        }
        return switch (method.owner().asInternalName() + "." + method.name().stringValue()) {
            case "java/lang/System.exit" -> Optional.of(EXIT);
            case "java/lang/Runtime.exit", "java/lang/Runtime.halt" -> Optional.of(EXIT_OF_RUNTIME);
            default -> Optional.empty();
        };
    }
}
