import CoreDataSQL
package import CoreDataStore
import Foundation

/// Whole stores that take the place of others, with what lies beside them.
extension SQLiteStores {
    /// Makes one store what another is, its log and its external files included.
    ///
    /// Both may be in use. The database is replaced in one transaction of its own, so that a process that
    /// dies leaves the old store or the new one, and connections to it go on with the new one; where there is
    /// none, the new one comes as a whole. A failure leaves what was there.
    ///
    /// - Parameter timeout: how many seconds to wait for whoever has locked one of them.
    package static func copy(
        from source: String, to target: String, timeout: Double = SQLiteStoreOptions().timeout
    ) throws(StoreError) {
        guard try metadata(at: source, timeout: timeout) != nil else {
            throw StoreError(.fileMissing, "there is no store", path: source)
        }
        _ = try exists(at: target)
        try StoreFile.requireWritable(target)
        let snapshot = try StoreSnapshot(of: source, for: target, timeout)
        defer { snapshot.close() }
        try snapshot.files.exchanging { () throws(StoreError) in
            if try isPlace(target) {
                return try replaceContents(of: target, with: snapshot.reader, timeout)
            }
            let draft = try DraftFolder(beside: URL(fileURLWithPath: target))
            try withExtendedLifetime(draft) { () throws(StoreError) in
                try replaceContents(of: draft.url.path, with: snapshot.reader, timeout)
                try publish(draft.url.path, at: target, timeout, mustBeNew: false)
            }
        }
    }

    /// Has a store that is finished and closed, and that nobody else knows, take the place of whatever lies
    /// elsewhere in the same file system: a database that others may have open, another file, or nothing.
    ///
    /// - Parameters:
    ///   - mustBeNew: whether an error of kind `overtaken` is thrown where a file is already.
    ///   - reservation: of the target, if there is one: what somebody else writes to it meanwhile is not
    ///     replaced.
    package static func move(
        _ draft: String, to target: String, timeout: Double = SQLiteStoreOptions().timeout,
        mustBeNew: Bool = false, reservation: StoreReservation? = nil
    ) throws(StoreError) {
        try StoreFile.requireWritable(target)
        try foldLog(of: draft, timeout)
        try ExternalExchange(from: draft, .moving, to: target).exchanging { () throws(StoreError) in
            guard let reservation else {
                return try publish(draft, at: target, timeout, mustBeNew: mustBeNew)
            }
            try withDraft(draft, timeout) { reader throws(StoreError) in
                try reservation.replaceContents(with: reader)
            }
        }
    }

    private static func withDraft(
        _ draft: String, _ timeout: Double, _ body: (SQLiteConnection) throws(StoreError) -> Void
    ) throws(StoreError) {
        let reader = try translated(draft) { () throws(SQLError) in
            try SQLiteConnection(path: draft, access: .readWrite, timeout: timeout)
        }
        defer { reader.close() }
        try body(reader)
    }

    /// Has the database have everything that its log has.
    private static func foldLog(of path: String, _ timeout: Double) throws(StoreError) {
        try translated(path) { () throws(SQLError) in
            let connection = try SQLiteConnection(path: path, access: .readWrite, timeout: timeout)
            defer { connection.close() }
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// Whether a file lies at a path that SQLite can make another database of: a database, or an empty one.
    private static func isPlace(_ path: String) throws(StoreError) -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return false }
        return try !exists(at: path) ? true : isDatabase(at: path)
    }

    /// Whether nothing lies at a path, nor what a database there would take for its own.
    private static func isFree(_ path: String) -> Bool {
        ["", "-wal", "-journal"].allSatisfy { !FileManager.default.fileExists(atPath: path + $0) }
    }

    private static func publish(
        _ draft: String, at target: String, _ timeout: Double, mustBeNew: Bool
    ) throws(StoreError) {
        if isFree(target) {
            if link(draft, target) == 0 {
                return try FileSystem.synchronize(folderOf: target)
            }
            // Somebody else has been faster, or the file system has no links.
            guard [EEXIST, EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) else {
                throw StoreError(system: errno, "the store cannot be put in its place", path: target)
            }
        }
        if mustBeNew, FileManager.default.fileExists(atPath: target) { throw overtaken(target) }
        if FileManager.default.fileExists(atPath: target), try !isPlace(target) {
            // The log of a database that is damaged would be taken for the new one's.
            for log in ["-wal", "-journal"] { unlink(target + log) }
            _ = try FileLock.put(draft, at: target, timeout: timeout)
            return
        }
        try withDraft(draft, timeout) { reader throws(StoreError) in
            try replaceContents(of: target, with: reader, timeout)
        }
    }

    private static func replaceContents(
        of target: String, with source: SQLiteConnection, _ timeout: Double
    ) throws(StoreError) {
        try translated(target) { () throws(SQLError) in
            let writer = try SQLiteConnection(path: target, access: .create, timeout: timeout)
            defer { writer.close() }
            try writer.replaceContents(with: source, timeout)
        }
    }

    // MARK: Files

    /// The database, its logs and the folder of its external files.
    package static func files(of path: String) -> [String] {
        ["", "-wal", "-shm", "-journal"].map { path + $0 } + [supportFolder(of: path)]
    }

    /// Whether another store, whose name differs by its extension alone, has its external files in the same
    /// folder (sqlite-store §6).
    static func hasNamesake(_ path: String) -> Bool {
        let url = URL(fileURLWithPath: path)
        guard FileManager.default.fileExists(atPath: supportFolder(of: path)) else { return false }
        let folder = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.map(folder.appendingPathComponent).contains { other in
            other.lastPathComponent != url.lastPathComponent
                && other.deletingPathExtension() == url.deletingPathExtension()
                && !["-wal", "-shm", "-journal"].contains { other.path.hasSuffix($0) }
                && holdsSomething(other.path)
        }
    }

    /// Whether a file is a database with something in it, be it that this cannot be told now.
    private static func holdsSomething(_ path: String) -> Bool {
        do throws(StoreError) {
            return try metadata(at: path) != nil
        } catch {
            if case .notADatabase = error.kind { return false }
            return true
        }
    }

    /// The folder beside a store for what does not fit into its rows (sqlite-store §6).
    package static func supportFolder(of path: String) -> String {
        let url = URL(fileURLWithPath: path)
        let name = url.deletingPathExtension().lastPathComponent
        return url.deletingLastPathComponent().path + "/.\(name)_SUPPORT"
    }

    /// Whether a file is a database, of whatever kind. Asked of SQLite, since nobody else may open the file
    /// of a store. Throws if it cannot be told.
    package static func isDatabase(at path: String) throws(StoreError) -> Bool {
        guard try exists(at: path) else { return false }
        do throws(StoreError) {
            try translated(path) { () throws(SQLError) in
                try StoreOpening.openProbe(path, timeout: SQLiteStoreOptions().timeout).close()
            }
            return true
        } catch {
            if case .notADatabase = error.kind { return false }
            throw error
        }
    }
}
