package dev.npuflow.workflow.file;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;

/// Why a file cannot be read or written, in words for people: a platform's exception says it by its class, and its message is often the path again.
public final class FileReason {

    private FileReason() {}

    public static String of(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "no such file";
            case FileAlreadyExistsException _ -> "a file of this name is in the way";
            case AccessDeniedException _ -> "permission denied";
            case NotDirectoryException _ -> "not a directory";
            case DirectoryNotEmptyException _ -> "the directory is not empty";
            case CharacterCodingException _ -> "not UTF-8";
            case FileSystemException system when system.getReason() != null && !system.getReason().isBlank() -> system.getReason().toLowerCase(Locale.ROOT);
            default -> "reading or writing failed";
        };
    }
}
