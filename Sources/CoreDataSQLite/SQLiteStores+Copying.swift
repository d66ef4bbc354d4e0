import CoreDataSQL
package import CoreDataStore
import Foundation

// The replacement of whole stores by others, including their logs and external files.
extension SQLiteStores {
    /// Replaces the content of one store by that of another, including its log and its external files.
    ///
    /// Both stores may be in use. The content is replaced in one transaction, so that a process that dies
    /// leaves either the old or the new content, and open connections continue with the new content. If there
    /// is no store at the target, the new one appears as a whole. A failure leaves the old content.
    ///
    /// - Parameters:
    ///   - source: The path of the store to copy.
    ///   - target: The path of the store to replace or make.
    ///   - timeout: Seconds to wait for connections that have locked one of them.
    package static func copy(
        from source: String, to target: String, timeout: Double = DatabaseOptions().timeout
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
                try publish(draft.url.path, at: target, timeout, mustBeFree: false, files)
            }
        }
    }

    package static func draft(for place: String, timeout: Double) throws(StoreError) -> any DraftPlace {
        try DraftFolder(beside: URL(fileURLWithPath: place))
    }

    /// Moves a finished and closed store that no other process knows to another path in the same file system.
    /// Replaces a database there, which others may have open, or any other file.
    ///
    /// - Parameters:
    ///   - draft: The path of the finished store.
    ///   - target: The path to move it to.
    ///   - timeout: Seconds to wait for connections that have locked the target.
    ///   - mustBeFree: Whether an error of kind `overtaken` is thrown if there is a store already, or a file
    ///     of another kind. A database without tables is allowed and gets the content.
    package static func move(
        _ draft: String, to target: String, timeout: Double = DatabaseOptions().timeout,
        mustBeFree: Bool = false
    ) throws(StoreError) {
        try finish(draft, for: target, timeout) { files throws(StoreError) in
            try publish(draft, at: target, timeout, mustBeFree: mustBeFree, files)
        }
    }

    /// Copies a draft's log into its database, and moves its external files together with it.
    fileprivate static func finish(
        _ draft: String, for target: String, _ timeout: Double,
        _ publish: (ExternalExchange) throws(StoreError) -> Void
    ) throws(StoreError) {
        try StoreFile.requireWritable(target)
        try foldLog(of: draft, timeout)
        let files = try ExternalExchange(from: draft, .moving, to: target)
        try files.exchanging { () throws(StoreError) in try publish(files) }
    }

    fileprivate static func withDraft(
        _ draft: String, _ timeout: Double, _ body: (SQLiteConnection) throws(StoreError) -> Void
    ) throws(StoreError) {
        let reader = try translated(draft) { () throws(SQLError) in
            try SQLiteConnection(path: draft, access: .readWrite, timeout: timeout)
        }
        defer { reader.close() }
        try body(reader)
    }

    /// Copies the whole log of a database into it.
    private static func foldLog(of path: String, _ timeout: Double) throws(StoreError) {
        try translated(path) { () throws(SQLError) in
            let connection = try SQLiteConnection(path: path, access: .readWrite, timeout: timeout)
            defer { connection.close() }
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    private static func publish(
        _ draft: String, at target: String, _ timeout: Double, mustBeFree: Bool, _ files: ExternalExchange
    ) throws(StoreError) {
        if mustBeFree { return try fill(target, with: draft, timeout, files) }
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

    private static func fill(
        _ target: String, with draft: String, _ timeout: Double, _ files: ExternalExchange
    ) throws(StoreError) {
        guard try isDatabase(at: target, timeout: timeout) else {
            guard try put(draft, at: target, timeout, if: { $0 == nil }) else { throw overtaken(target) }
            return
        }
        try withDraft(draft, timeout) { reader throws(StoreError) in
            try inPlace(target) { () throws(StoreError) in
                // A store that exists already is not even locked.
                guard try isEmpty(target) else { throw overtaken(target) }
                let reservation = try StoreReservation(target, timeout: timeout)
                defer { reservation.end() }
                guard try reservation.isEmpty() else { throw overtaken(target) }
                try reservation.replaceContents(with: reader, files.look)
            }
        }
    }

    private static func isEmpty(_ path: String) throws(StoreError) -> Bool {
        let connection = try inspect(path)
        defer { connection.close() }
        return try translated(path) { () throws(SQLError) in try connection.isEmpty() }
    }

    /// Moves a finished database, which no connection has open, to a path. Replaces any file there that is
    /// not a database.
    ///
    /// - Parameters:
    ///   - draft: The path of the finished database.
    ///   - target: The path to move it to.
    ///   - timeout: Seconds to wait for the lock at most.
    ///   - condition: Returns whether to go on, given the stamp of the present file, which is locked
    ///     meanwhile.
    /// - Returns: Whether the condition was met.
    static func put(
        _ draft: String, at target: String, _ timeout: Double, if condition: (FileStamp?) -> Bool
    ) throws(StoreError) -> Bool {
        let place = URL(fileURLWithPath: target).resolvingSymlinksInPath().path
        // The log of a former database at the path would be mistaken for that of the new one.
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

    /// Runs `body`, which works on a database. Throws an error of kind `overtaken` if `body` fails because
    /// the file was replaced or removed.
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

    /// Returns the paths of the database, its logs and the folder of its external files.
    package static func files(of path: String) -> [String] {
        [path] + logs(of: path) + [supportFolder(of: path)]
    }

    static func logs(of path: String) -> [String] { ["-wal", "-shm", "-journal"].map { path + $0 } }

    /// Returns whether another store whose name differs only by its extension has its external files in the
    /// same folder (sqlite-store §6).
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

    /// Returns whether a file is a database with content; true if that is unknown at present.
    private static func holdsSomething(_ path: String) -> Bool {
        do throws(StoreError) {
            return try metadata(at: path) != nil
        } catch {
            if case .notADatabase = error.kind { return false }
            return true
        }
    }

    /// Returns the path of the support folder beside a store, for values that do not fit into its rows
    /// (sqlite-store §6).
    package static func supportFolder(of path: String) -> String {
        let url = URL(fileURLWithPath: path)
        let name = url.deletingPathExtension().lastPathComponent
        return url.deletingLastPathComponent().path + "/.\(name)_SUPPORT"
    }

    /// Returns whether a file is a database of any program. SQLite decides, since only SQLite may open the
    /// file of a store. Throws if that is unknown.
    package static func isDatabase(
        at path: String, timeout: Double = DatabaseOptions().timeout
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

extension StoreReservation {
    package func move(_ draft: String) throws(StoreError) {
        try SQLiteStores.finish(draft, for: path, timeout) { files throws(StoreError) in
            try SQLiteStores.withDraft(draft, timeout) { reader throws(StoreError) in
                try replaceContents(with: reader, files.look)
            }
        }
    }
}
