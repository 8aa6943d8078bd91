package dev.npuflow.workflow.ledger;


import dev.npuflow.fault.NpuflowException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// One connection, every failure turned into a fault with an id. Threads take turns: a run that is interrupted is marked by another thread than its own, which may
/// be within a transaction.
final class Database implements AutoCloseable {

    private final Path file;
    private final Connection connection;
    private final ReentrantLock lock = new ReentrantLock();
    private Runnable watch = () -> { };

    Database(Path file, Connection connection) {
        this.file = file;
        this.connection = connection;
    }

    /// What a row becomes.
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    Path file() {
        return file;
    }

    /// Asks this before each statement and after each transaction; it throws what is to end the run.
    void watch(Runnable asked) {
        watch = asked;
    }

    /// @return the new row's id, where one was inserted
    long update(String sql, @Nullable Object... arguments) {
        watch.run();
        return changed(sql, arguments);
    }

    private long changed(String sql, @Nullable Object... arguments) {
        lock.lock();
        try (PreparedStatement statement = prepared(sql, arguments)) {
            statement.executeUpdate();
            try (PreparedStatement last = connection.prepareStatement("SELECT last_insert_rowid()"); ResultSet row = last.executeQuery()) {
                return row.getLong(1);
            }
        } catch (SQLException e) {
            throw fault(file, e);
        } finally {
            lock.unlock();
        }
    }

    <T> List<T> query(String sql, Row<T> mapping, @Nullable Object... arguments) {
        watch.run();
        lock.lock();
        try (PreparedStatement statement = prepared(sql, arguments); ResultSet rows = statement.executeQuery()) {
            List<T> all = new ArrayList<>();
            while (rows.next()) {
                T value = mapping.read(rows);
                if (value == null) {
                    throw damaged(file, "a row that lacks a value");
                }
                all.add(value);
            }
            return all;
        } catch (SQLException e) {
            throw fault(file, e);
        } catch (IllegalArgumentException e) {
            throw damaged(file, "a row that no npuflow wrote");
        } finally {
            lock.unlock();
        }
    }

    /// All of it reaches the disk, or nothing.
    <T> T transaction(Supplier<T> work) {
        lock.lock();
        try {
            update("BEGIN IMMEDIATE");
            T result = committed(work);
            watch.run();
            return result;
        } finally {
            lock.unlock();
        }
    }

    private <T> T committed(Supplier<T> work) {
        boolean done = false;
        try {
            T result = work.get();
            update("COMMIT");
            done = true;
            return result;
        } finally {
            if (!done) {
                rollBack();
            }
        }
    }

    private void rollBack() {
        try {
            changed("ROLLBACK");
        } catch (NpuflowException none) {
            // SQLite has rolled back by itself, as it does where the disk is full; what ended the transaction is what is told
        }
    }

    private PreparedStatement prepared(String sql, @Nullable Object... arguments) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < arguments.length; i++) {
            statement.setObject(i + 1, arguments[i]);
        }
        return statement;
    }

    @Override public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw fault(file, e);
        }
    }

    static NpuflowException fault(Path file, SQLException e) {
        SQLiteErrorCode code = e instanceof SQLiteException sqlite ? sqlite.getResultCode() : SQLiteErrorCode.UNKNOWN_ERROR;
        return switch (code) {
            case SQLITE_NOTADB, SQLITE_CORRUPT -> damaged(file, "no database, or cut short");
            default -> NpuflowException.environment("NPF-603", file.toString(), words(code), "the ledger to be readable and writable",
                    "to free disk space and check permissions, or another --workspace");
        };
    }

    /// The driver's codes have their kind before an underscore and further letters.
    private static String words(SQLiteErrorCode code) {
        String name = code.name();
        if (code == SQLiteErrorCode.SQLITE_FULL) {
            return "disk full";
        }
        if (name.startsWith("SQLITE_READONLY")) {
            return "it cannot be written";
        }
        if (name.startsWith("SQLITE_BUSY") || name.startsWith("SQLITE_LOCKED")) {
            return "another process uses it";
        }
        if (name.startsWith("SQLITE_PERM") || name.startsWith("SQLITE_AUTH")) {
            return "permission denied";
        }
        return name.startsWith("SQLITE_CANTOPEN") ? "it cannot be opened" : "reading or writing failed";
    }

    static NpuflowException damaged(Path file, String how) {
        return NpuflowException.environment("NPF-602", file.toString(), how, "an intact ledger",
                "to move it away together with its -wal and -shm files, so that a new one is begun, or another --workspace");
    }
}
