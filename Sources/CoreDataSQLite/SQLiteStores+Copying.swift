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
        let files = snapshot.files
        try files.exchanging { () throws(StoreError) in
            if try isDatabase(at: target, timeout: timeout) {
                return try replaceContents(of: target, with: snapshot.reader, timeout, files)
            }
            let draft = try DraftFolder(beside: URL(fileURLWithPath: target))
            try withExtendedLifetime(draft) { () throws(StoreError) in
                try translated(target) { () throws(SQLError) in
                    let writer = try SQLiteConnection(path: draft.url.path, access: .create)
                    defer { writer.close() }
                    try writer.replaceContents(with: snapshot.reader, timeout) {}
                }
                try publish(draft.url.path, at: target, timeout, mustBeNew: false, files)
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
        let files = try ExternalExchange(from: draft, .moving, to: target)
        try files.exchanging { () throws(StoreError) in
            guard let reservation else {
                return try publish(draft, at: target, timeout, mustBeNew: mustBeNew, files)
            }
            try withDraft(draft, timeout) { reader throws(StoreError) in
                try reservation.replaceContents(with: reader, files.look)
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

    private static func publish(
        _ draft: String, at target: String, _ timeout: Double, mustBeNew: Bool, _ files: ExternalExchange
    ) throws(StoreError) {
        if mustBeNew {
            guard try put(draft, at: target, timeout, if: { $0 == nil }) else { throw overtaken(target) }
            return
        }
        try FileLock.retrying(target, timeout: timeout) { found throws(StoreError) in
            guard try isDatabase(at: target, timeout: timeout) else {
                return try put(draft, at: target, timeout) { $0 == found }
            }
            try withDraft(draft, timeout) { reader throws(StoreError) in
                try replaceContents(of: target, with: reader, timeout, files)
            }
            return true
        }
    }

    /// Puts a finished database, which nobody has open, in the place of a file that is none.
    ///
    /// - Parameter condition: is asked about what is there, when nobody else can put anything in its place.
    /// - Returns: Whether the condition was met.
    static func put(
        _ draft: String, at target: String, _ timeout: Double, if condition: (FileStamp?) -> Bool
    ) throws(StoreError) -> Bool {
        let place = URL(fileURLWithPath: target).resolvingSymlinksInPath().path
        // The log of a database that lay there would be taken for the new one's.
        return try FileLock.put(
            draft, at: place, removing: logs(of: place), timeout: timeout, if: condition)
    }

    private static func replaceContents(
        of target: String, with source: SQLiteConnection, _ timeout: Double, _ files: ExternalExchange
    ) throws(StoreError) {
        try inPlace(target) { () throws(StoreError) in
            try translated(target) { () throws(SQLError) in
                let writer = try SQLiteConnection(path: target, access: .readWrite, timeout: timeout)
                defer { writer.close() }
                try writer.replaceContents(with: source, timeout, check: files.look)
            }
        }
    }

    /// Does something with a database. Throws an error of kind `overtaken` if that fails since another file,
    /// or none, has come to its place.
    static func inPlace<Result>(
        _ path: String, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            switch error.kind {
            case .notADatabase: throw overtaken(path)
            case .cannotOpen where FileStamp(path: path) == nil: throw overtaken(path)
            default: throw error
            }
        }
    }

    // MARK: Files

    /// The database, its logs and the folder of its external files.
    package static func files(of path: String) -> [String] {
        [path] + logs(of: path) + [supportFolder(of: path)]
    }

    static func logs(of path: String) -> [String] { ["-wal", "-shm", "-journal"].map { path + $0 } }

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
    package static func isDatabase(
        at path: String, timeout: Double = SQLiteStoreOptions().timeout
    ) throws(StoreError) -> Bool {
        guard try exists(at: path) else { return false }
        do throws(StoreError) {
            try translated(path) { () throws(SQLError) in
                try StoreOpening.openProbe(path, timeout: timeout).close()
            }
            return true
        } catch {
            if case .notADatabase = error.kind { return false }
            throw error
        }
    }
}
