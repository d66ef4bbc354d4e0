import CoreDataStore
import Foundation

/// The external files of a store that becomes another: the new ones come before the rows that name them, the
/// old ones go after the rows that named them. No two have one name, so they are not in each other's way. A
/// note has their names, so that the next to open the store can finish what a process that dies has begun.
struct ExternalExchange {
    /// How the new ones come.
    enum Way {
        case copying
        /// Theirs is a store that nobody else knows.
        case moving
    }

    private let target: String
    private let folder: ExternalFolder
    /// What of the target's folder is the target's.
    private let former: Set<String>
    private let latter: Set<String>
    /// Those of the latter that were not there before.
    private let brought: Set<String>
    private let note: PendingFiles?
    /// The folder that moved ones go back to, if the target does not become the store.
    private let origin: ExternalFolder?

    /// - Parameter source: the path of the store that the target becomes; nil if it becomes nothing.
    init(from source: String?, _ way: Way = .copying, to target: String) throws(StoreError) {
        self.target = target
        folder = ExternalFolder(ofStoreAt: target)
        let present = Set(folder.names())
        // Whose files are whose, nobody can tell without the rows.
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
            // False if a commit has let go of it meanwhile.
            case .copying: _ = try folder.copy(name, of: theirs, to: name)
            }
            return
        }
        // What is there is the very same, if the process that brought it did not die at it.
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

    /// Has the body make the target the other store, and removes the files that no row names after it.
    func exchanging(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        do throws(StoreError) {
            try body()
        } catch {
            switch error.kind {
            case .busy, .overtaken: undo()
            case _ where !FileManager.default.fileExists(atPath: target): undo()
            // It may have become the other store all the same: the next to open it will see.
            default: note?.abandon()
            }
            throw error
        }
        remove(former.subtracting(latter))
    }

    /// Makes the folder of the target what it was, and that of a store that was to be moved.
    func undo() {
        if let origin {
            for name in brought { try? origin.move(name, of: folder, to: name) }
        }
        remove(brought)
        folder.removeIfEmpty()
    }

    private func remove(_ names: Set<String>) { note?.remove(names) }
}
