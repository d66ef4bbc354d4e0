import Foundation

/// A copy of a store that is kept before the store is migrated, if its options ask for one.
struct MigrationBackup {
    private let store: NSPersistentStore
    private let target: URL

    /// Reads the store's options; nil if they ask for no backup.
    init?(of store: NSPersistentStore) {
        let value = store.options?[PersistentStoreMigrationBackupKey]
        // Store descriptions hold options as objects.
        guard let target = value as? URL ?? (value as? NSURL).map({ $0 as URL }) else { return nil }
        self.store = store
        self.target = target
    }

    /// Copies the state of the store at one moment, with its log and external files.
    ///
    /// Nothing is removed. A store that is already at the place counts as this backup if its bytes are equal,
    /// as after a failed attempt; otherwise the backup takes the next name, `Before-2.sqlite`.
    ///
    /// - Throws: If the place has a file that is no store, or copying fails.
    func keep() throws {
        guard let url = store.url, !url.isNowhere else { return }
        let options = store.options ?? [:]
        try requireNothingElse(at: target)
        let copy = try StoreDraft(of: type(of: store), for: target)
        try type(of: store).copyFiles(from: url, to: copy.url, options)
        for number in 1... {
            let location = number == 1 ? target : name(number)
            try requireNothingElse(at: location)
            if isSame(copy.url, location) {
                return MigrationDebug.log(
                    "there is a backup of the store at \(url.path) already, at \(location.path)")
            }
            if try copy.publishIfFree(at: location, options: options) {
                return MigrationDebug.log(
                    "a backup of the store at \(url.path) has been made at \(location.path)")
            }
        }
    }

    /// Throws if a file at the place is no store, and if no store can be made there.
    private func requireNothingElse(at location: URL) throws {
        type(of: store).removeLeftovers(at: location)
        guard let path = paths(location).first(where: FileManager.default.fileExists) else { return }
        if (try? type(of: store).metadataForPersistentStore(with: location)) != nil { return }
        throw CoreDataError.error(
            CocoaError.Code.fileWriteFileExists.rawValue,
            reason: "The store is not migrated, since its backup would overwrite \(path).",
            [filePathKey: path])
    }

    private func name(_ number: Int) -> URL {
        let name = "\(target.deletingPathExtension().lastPathComponent)-\(number)"
        let location = target.deletingLastPathComponent().appendingPathComponent(name)
        return target.pathExtension.isEmpty ? location : location.appendingPathExtension(target.pathExtension)
    }

    private func paths(_ location: URL) -> [String] { type(of: store).files(ofStoreAt: location).map(\.path) }

    private func isSame(_ one: URL, _ other: URL) -> Bool {
        zip(paths(one), paths(other)).allSatisfy { one, other in
            let files = FileManager.default
            return files.contentsEqual(atPath: one, andPath: other)
                || !files.fileExists(atPath: one) && !files.fileExists(atPath: other)
        }
    }
}
