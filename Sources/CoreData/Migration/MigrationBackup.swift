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
    /// Nothing is removed. A store that is already at the place counts as this backup if it contains the same,
    /// as after a failed attempt; otherwise the backup takes the next name, `Before-2.sqlite`.
    ///
    /// - Throws: If the place has a file that is no store, or copying fails.
    func keep() throws {
        guard let url = store.url, !url.isNowhere else { return }
        let options = store.options ?? [:]
        if storeClass.isOnServer {
            throw CoreDataError.error(
                NSMigrationError,
                reason: "The store is not migrated, since no backup can be made of a store on a server: "
                    + "take the option PersistentStoreMigrationBackupKey away, and make a backup with "
                    + "the server's tools.")
        }
        _ = try hasStore(at: target)
        let copy = try StoreDraft(of: storeClass, for: target)
        try storeClass.copyFiles(from: url, to: copy.url, options)
        var number = 1
        while true {
            let location = number == 1 ? target : name(number)
            if try hasStore(at: location) {
                if try storeClass.containsSame(copy.url, as: location, options) {
                    return MigrationDebug.log(
                        "there is a backup of the store at \(url.path) already, at \(location.path)")
                }
                number += 1
            } else if try copy.publishIfFree(at: location, options: options) {
                return MigrationDebug.log(
                    "a backup of the store at \(url.path) has been made at \(location.path)")
            }
        }
    }

    private var storeClass: NSPersistentStore.Type { type(of: store) }

    /// Returns whether there is a store at a place, or false if one can be made there. Throws if there is
    /// another file that is not empty.
    private func hasStore(at location: URL) throws -> Bool {
        storeClass.removeLeftovers(at: location)
        let paths = storeClass.files(ofStoreAt: location).map(\.path)
        guard let path = paths.first(where: { isFilled($0) }) else { return false }
        if (try? storeClass.metadataForPersistentStore(with: location)) != nil { return true }
        throw CoreDataError.error(
            CocoaError.Code.fileWriteFileExists.rawValue,
            reason: "The store is not migrated, since its backup would overwrite \(path).",
            [filePathKey: path])
    }

    /// Returns false for an empty file, too, such as a process leaves that died before it filled the file.
    private func isFilled(_ path: String) -> Bool {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return false }
        return attributes[.type] as? FileAttributeType != .typeRegular || attributes[.size] as? UInt64 != 0
    }

    private func name(_ number: Int) -> URL {
        let name = "\(target.deletingPathExtension().lastPathComponent)-\(number)"
        let location = target.deletingLastPathComponent().appendingPathComponent(name)
        return target.pathExtension.isEmpty ? location : location.appendingPathExtension(target.pathExtension)
    }
}
