import CoreDataSQL
package import CoreDataStore
import Foundation

/// Whole stores: copied with what lies beside them, and removed.
extension SQLiteStores {
    /// Makes one store what another is, its log and its external files included.
    ///
    /// Both may be in use. The database is replaced in one transaction of its own, so that a process that dies leaves the
    /// old store or the new one, and connections to it go on with the new one. A failure leaves the old store, or nothing
    /// where there was none.
    ///
    /// - Parameters:
    ///   - timeout: how many seconds to wait for whoever has locked one of them.
    ///   - reservation: of the target, if there is one: what somebody else writes to it meanwhile is not replaced.
    package static func copy(
        from source: String, to target: String, timeout: Double = SQLiteStoreOptions().timeout,
        reservation: StoreReservation? = nil
    ) throws(StoreError) {
        guard try metadata(at: source) != nil else {
            throw StoreError(.fileMissing, "there is no store", path: source)
        }
        _ = try exists(at: target)
        try StoreFile.requireWritable(target)
        let leftovers = FailedCopy(at: target)
        do throws(StoreError) {
            try copyFiles(from: source, to: target, timeout, reservation)
        } catch {
            leftovers?.remove()
            throw error
        }
    }

    private static func copyFiles(
        from source: String, to target: String, _ timeout: Double, _ reservation: StoreReservation?
    ) throws(StoreError) {
        // No two files have one name, so those of the new store are not in the way of the old one's.
        let former = externalNames(at: target)
        let note = try copyExternalFiles(from: source, to: target)
        let reader = try translated(source) { () throws(SQLError) in
            try StoreOpening.openQuietly(source, timeout: timeout)
        }
        defer { reader.close() }
        if let reservation {
            try reservation.replaceContents(with: reader)
        } else {
            try translated(target) { () throws(SQLError) in
                let writer = try SQLiteConnection(path: target, access: .create, timeout: timeout)
                defer { writer.close() }
                try writer.replaceContents(with: reader, timeout)
            }
        }
        for name in former.subtracting(externalNames(at: source)) {
            try? FileManager.default.removeItem(
                atPath: ExternalFiles(storePath: target).directory + "/" + name)
        }
        note?.remove()
    }

    /// What a copy to a place where no store is leaves there when it fails. Where one is, its next user finds by their
    /// note the files that nobody owns.
    private struct FailedCopy {
        private let target: String
        private let formerNames: Set<String>
        private let hadFolder: Bool

        /// Nil where there is a store.
        init?(at target: String) {
            if FileManager.default.fileExists(atPath: target) { return nil }
            self.target = target
            formerNames = externalNames(at: target)
            hadFolder = FileManager.default.fileExists(atPath: supportFolder(of: target))
        }

        /// The folder may be that of a store with the same name and another extension, which keeps what it has.
        func remove() {
            let folder = ExternalFiles(storePath: target).directory
            let names = externalNames(at: target).subtracting(formerNames)
            let files = hadFolder ? names.map { folder + "/" + $0 } : [supportFolder(of: target)]
            for file in ["", "-wal", "-shm", "-journal"].map({ target + $0 }) + files {
                try? FileManager.default.removeItem(atPath: file)
            }
        }
    }

    private static func externalNames(at path: String) -> Set<String> {
        let folder = ExternalFiles(storePath: path).directory
        return Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    }

    /// Answers with the note of what is there and of what comes, by which the next to open the store finds what a process
    /// that dies leaves behind; nil if there is nothing.
    private static func copyExternalFiles(
        from source: String, to target: String
    ) throws(StoreError) -> PendingFiles? {
        let (old, new) = (
            ExternalFiles(storePath: source).directory, ExternalFiles(storePath: target).directory
        )
        let (former, names) = (externalNames(at: target), externalNames(at: source))
        if former.isEmpty, names.isEmpty { return nil }
        do {
            try FileManager.default.createDirectory(atPath: new, withIntermediateDirectories: true)
            let note = try PendingFiles(of: new)
            for name in former.union(names) { try note.add(name) }
            for name in names.subtracting(former) {
                try FileManager.default.copyItem(atPath: "\(old)/\(name)", toPath: "\(new)/\(name)")
            }
            return note
        } catch {
            throw StoreError(.cannotCreate, "the external files cannot be copied: \(error)", path: target)
        }
    }

    /// Removes the database, its log and its external files. Throws if something else than a store is there.
    ///
    /// Two stores whose names differ by their extension alone have one folder for external files (sqlite-store §6): it
    /// stays as long as one of them does.
    package static func remove(at path: String) throws(StoreError) {
        let support = supportFolder(of: path)
        let files = files(of: path).filter { $0 != support || !hasNamesake(path) }
        do {
            for file in files where FileManager.default.fileExists(atPath: file) {
                try FileManager.default.removeItem(atPath: file)
            }
        } catch {
            throw StoreError(.readOnly, "the file cannot be removed: \(error)", path: path)
        }
    }

    /// The database, its logs and the folder of its external files.
    package static func files(of path: String) -> [String] {
        ["", "-wal", "-shm", "-journal"].map { path + $0 } + [supportFolder(of: path)]
    }

    private static func hasNamesake(_ path: String) -> Bool {
        let url = URL(fileURLWithPath: path)
        guard FileManager.default.fileExists(atPath: supportFolder(of: path)) else { return false }
        let folder = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.map(folder.appendingPathComponent).contains { other in
            other.lastPathComponent != url.lastPathComponent
                && other.deletingPathExtension() == url.deletingPathExtension()
                && !["-wal", "-shm", "-journal"].contains { other.path.hasSuffix($0) }
                && isDatabase(at: other.path)
        }
    }

    /// The folder beside a store for what does not fit into its rows (sqlite-store §6).
    package static func supportFolder(of path: String) -> String {
        let url = URL(fileURLWithPath: path)
        let name = url.deletingPathExtension().lastPathComponent
        return url.deletingLastPathComponent().path + "/.\(name)_SUPPORT"
    }

    /// Whether a file is a database, of whatever kind. Asked of SQLite, since nobody else may open the file of a store.
    package static func isDatabase(at path: String) -> Bool {
        guard (try? exists(at: path)) == true,
            let connection = try? StoreOpening.openProbe(path, timeout: SQLiteStoreOptions().timeout)
        else { return false }
        connection.close()
        return true
    }
}
