import CoreDataStore
import Foundation

/// The external files of a store that becomes another: the new ones come before the rows that name them, the
/// old ones go after those that did. No two have one name, so they are not in each other's way; what a
/// process that dies has not come to is noted, for the next to open the store.
struct ExternalExchange {
    /// How the new ones come.
    enum Way {
        case copying
        /// Theirs is a store that nobody else knows.
        case moving
    }

    private let target: String
    private let former: Set<String>
    private let latter: Set<String>
    /// Those of the latter that were not there before.
    private let brought: Set<String>
    private let note: PendingFiles?
    /// The folder that moved ones go back to, if the target does not become the store.
    private let origin: String?

    /// - Parameter source: the path of the store that the target becomes; nil if it becomes nothing.
    init(from source: String?, _ way: Way = .copying, to target: String) throws(StoreError) {
        self.target = target
        let present = Self.names(at: target)
        // Whose files are whose, nobody can tell without the rows.
        former = SQLiteStores.hasNamesake(target) ? [] : present
        latter = source.map(Self.names) ?? []
        brought = latter.subtracting(present)
        guard !former.isEmpty || !latter.isEmpty else {
            (note, origin) = (nil, nil)
            return
        }
        let (old, new) = (source.map(Self.folder), Self.folder(of: target))
        origin = way == .moving ? old : nil
        do {
            try FileManager.default.createDirectory(atPath: new, withIntermediateDirectories: true)
            note = try PendingFiles(of: target)
        } catch {
            throw Self.failure(error, target)
        }
        do {
            for name in former.union(latter) { try note?.add(name) }
            guard let old else { return }
            for name in latter { try bring("\(old)/\(name)", to: "\(new)/\(name)", way) }
            if !latter.isEmpty { try FileSystem.synchronize(folder: new) }
        } catch {
            undo()
            throw Self.failure(error, target)
        }
    }

    private func bring(_ file: String, to place: String, _ way: Way) throws {
        guard FileManager.default.fileExists(atPath: place) else {
            switch way {
            case .moving: try Self.rename(file, to: place)
            case .copying: _ = try Self.copy(file, to: place)
            }
            return
        }
        // What is there is the very same, if the process that brought it did not die at it.
        let name = UUID().uuidString
        try note?.add(name)
        let copy = "\(Self.folder(of: target))/\(name)"
        if try Self.copy(file, to: copy) { try Self.rename(copy, to: place) }
    }

    /// Answers whether there was something to copy.
    private static func copy(_ file: String, to place: String) throws -> Bool {
        do {
            try FileManager.default.copyItem(atPath: file, toPath: place)
            try FileSystem.synchronize(file: place)
            return true
        } catch CocoaError.fileReadNoSuchFile {
            // Let go of by a commit meanwhile.
            return false
        }
    }

    private static func rename(_ file: String, to place: String) throws(StoreError) {
        guard Foundation.rename(file, place) == 0 else {
            throw StoreError(system: errno, "the external file cannot be put in its place", path: place)
        }
    }

    private static func failure(_ error: any Error, _ target: String) -> StoreError {
        if let error = error as? StoreError { return error }
        return StoreError(.cannotCreate, "the external files cannot be copied: \(error)", path: target)
    }

    private static func folder(of store: String) -> String { ExternalFiles(storePath: store).directory }

    private static func names(at store: String) -> Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder(of: store))) ?? [])
    }

    /// Has the target become the other store, by the body, and takes away what is left of either.
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

    /// The target is what it was, and so is a store that was to be moved.
    func undo() {
        if let origin {
            for name in brought {
                try? Self.rename("\(Self.folder(of: target))/\(name)", to: "\(origin)/\(name)")
            }
        }
        remove(brought)
        SQLiteStores.removeEmptySupportFolder(of: target)
    }

    private func remove(_ names: Set<String>) {
        note?.remove(names.map { "\(Self.folder(of: target))/\($0)" })
    }
}
