import Foundation

/// Keeps a copy of a store before it is migrated, if its options ask for one.
struct MigrationBackup {
    private let store: NSPersistentStore
    private let target: URL

    /// Nil if none is asked for.
    init?(of store: NSPersistentStore) {
        let value = store.options?[PersistentStoreMigrationBackupKey]
        // Descriptions have objects for options.
        guard let target = value as? URL ?? (value as? NSURL).map({ $0 as URL }) else { return nil }
        self.store = store
        self.target = target
    }

    /// Copies the store as it is at one moment, with its log and external files. Throws if something lies there, which may
    /// be the backup of an earlier try: nothing is ever taken away for a new one.
    func keep() throws {
        guard let url = store.url, !url.isNowhere else { return }
        for path in type(of: store).files(ofStoreAt: target).map(\.path)
        where FileManager.default.fileExists(atPath: path) {
            throw CoreDataError.error(
                CocoaError.Code.fileWriteFileExists.rawValue,
                reason: "The store is not migrated: its backup would take the place of what is at \(path).",
                [filePathKey: path])
        }
        try type(of: store).copyFiles(from: url, to: target, store.options ?? [:])
        MigrationDebug.log("A backup of the store at \(url.path) has been made at \(target.path)")
    }
}
