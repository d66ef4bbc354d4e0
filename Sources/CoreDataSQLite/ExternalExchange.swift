import CoreDataStore
import Foundation

/// The exchange of the external files of a store whose content is replaced by that of another: the new files
/// come before the rows that name them, the old ones go after the rows that named them. No two files have one
/// name, so both can be in the folder. A note lists the names, so that the next process to open the store can
/// finish the work of one that died.
struct ExternalExchange {
    /// The way in which the new files come.
    enum Way {
        case copying
        /// The source is a store that no other process knows.
        case moving
    }

    private let target: String
    private let folder: ExternalFolder
    /// The files in the target's folder that belong to the target.
    private let former: Set<String>
    /// The files of the source.
    private let latter: Set<String>
    /// The files of the source that the target's folder did not have.
    private let brought: Set<String>
    private let note: PendingFiles?
    /// The folder that moved files return to if the exchange fails; nil if files are copied.
    private let origin: ExternalFolder?

    /// Brings the new files.
    ///
    /// - Parameters:
    ///   - source: The path of the store whose content the target gets; nil if the target becomes empty.
    ///   - way: Whether the files are copied or moved.
    ///   - target: The path of the store whose content is replaced.
    init(from source: String?, _ way: Way = .copying, to target: String) throws(StoreError) {
        self.target = target
        folder = ExternalFolder(ofStoreAt: target)
        let present = Set(folder.names())
        // Two stores may share the folder, and without the rows it is unknown which files belong to which.
        former = SQLiteStores.hasNamesake(target) ? [] : present
        let theirs = source.map { ExternalFolder(ofStoreAt: $0) }
        latter = Set(theirs?.files().map { $0.name } ?? [])
        brought = latter.subtracting(present)
        origin = way == .moving ? theirs : nil
        guard !former.isEmpty || !latter.isEmpty else {
            note = nil
            return
        }
        do throws(StoreError) {
            note = try PendingFiles(of: target)
        } catch {
            throw Self.failure(error, target)
        }
        do throws(StoreError) {
            for name in former.union(latter) { try note?.add(name) }
            guard let theirs, !latter.isEmpty else { return }
            for name in latter { try bring(name, of: theirs, way) }
            try folder.synchronize()
        } catch {
            undo()
            throw Self.failure(error, target)
        }
    }

    private func bring(_ name: String, of theirs: ExternalFolder, _ way: Way) throws(StoreError) {
        guard !brought.contains(name) else {
            switch way {
            case .moving: try folder.move(name, of: theirs, to: name)
            // A commit may have removed the file meanwhile, which is no error.
            case .copying: _ = try folder.copy(name, of: theirs, to: name)
            }
            return
        }
        // A file of that name has the same content, unless a process died while it wrote the file.
        let copy = UUID().uuidString
        try note?.add(copy)
        do throws(StoreError) {
            guard try folder.copy(name, of: theirs, to: copy) else { return }
            try folder.move(copy, of: folder, to: name)
        } catch {
            folder.remove([copy])
            throw error
        }
    }

    private static func failure(_ error: StoreError, _ target: String) -> StoreError {
        StoreError(error.kind, "the external files cannot be copied: \(error.message)", path: target)
    }

    /// Runs `body`, which replaces the content of the target, and then removes the files that no row names
    /// any more.
    func exchanging(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        do throws(StoreError) {
            try body()
        } catch {
            switch error.kind {
            case .busy, .overtaken: undo()
            case _ where !FileManager.default.fileExists(atPath: target): undo()
            // The content may have been replaced nevertheless. The next process to open the store tells by
            // its rows.
            default: note?.abandon()
            }
            throw error
        }
        remove(former.subtracting(latter))
    }

    /// Restores the folder of the target, and that of the source if its files were moved.
    func undo() {
        if let origin {
            for name in brought { try? origin.move(name, of: folder, to: name) }
        }
        remove(brought)
        folder.removeIfEmpty()
    }

    private func remove(_ names: Set<String>) { note?.remove(names) }
}
