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

    /// Copies the store as it is at one moment, with its log and external files. Nothing is ever taken away for that: where a
    /// store lies already it is this backup if it has the very same bytes, as after a try that failed, and else the backup
    /// takes the next name, `Before-2.sqlite`. Throws if something lies there that is no store.
    func keep() throws {
        guard let url = store.url, !url.isNowhere else { return }
        var taken: [URL] = []
        var place = target
        while let path = paths(place).first(where: FileManager.default.fileExists) {
            guard (try? type(of: store).metadataForPersistentStore(with: place)) != nil else {
                throw CoreDataError.error(
                    CocoaError.Code.fileWriteFileExists.rawValue,
                    reason:
                        "The store is not migrated: its backup would take the place of what is at \(path).",
                    [filePathKey: path])
            }
            taken.append(place)
            place = name(taken.count + 1)
        }
        try type(of: store).copyFiles(from: url, to: place, store.options ?? [:])
        guard let twin = taken.first(where: { isSame($0, place) }) else {
            return MigrationDebug.log("a backup of the store at \(url.path) has been made at \(place.path)")
        }
        try type(of: store).removeStore(at: place)
        MigrationDebug.log("there is a backup of the store at \(url.path) already, at \(twin.path)")
    }

    private func name(_ number: Int) -> URL {
        let name = "\(target.deletingPathExtension().lastPathComponent)-\(number)"
        let place = target.deletingLastPathComponent().appendingPathComponent(name)
        return target.pathExtension.isEmpty ? place : place.appendingPathExtension(target.pathExtension)
    }

    private func paths(_ place: URL) -> [String] { type(of: store).files(ofStoreAt: place).map(\.path) }

    private func isSame(_ one: URL, _ other: URL) -> Bool {
        zip(paths(one), paths(other)).allSatisfy { one, other in
            let files = FileManager.default
            return files.contentsEqual(atPath: one, andPath: other)
                || !files.fileExists(atPath: one) && !files.fileExists(atPath: other)
        }
    }
}
