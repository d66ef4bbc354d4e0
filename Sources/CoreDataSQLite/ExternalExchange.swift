import CoreDataSQL
import CoreDataStore
import Foundation

/// The exchange of a store's external files when its content is replaced by that of another store. The new
/// files are added before the rows that name them, and the old files are removed after the rows that named
/// them. A note lists the names, so that if the process dies, the next one to open the store can finish its
/// work.
final class ExternalExchange {
    /// How the new files are added.
    enum Way {
        case copying
        /// The files are moved, since no other process knows the source store.
        case moving
    }

    private let target: String
    private let folder: ExternalFolder
    /// The files in the target's folder that belonged to the target before.
    private var former: Set<String> = []
    /// The files that other processes are adding or releasing. When these processes are done, the rows show
    /// to which store the files belong.
    private var inWork: Set<String> = []
    /// The files of the source.
    private let latter: Set<String>
    /// The files of the source that the target's folder did not contain.
    private let brought: Set<String>
    private var note: PendingFiles?
    /// The folder to which moved files return if the exchange fails; nil if files are copied.
    private let origin: ExternalFolder?

    /// Adds the new files.
    ///
    /// - Parameters:
    ///   - source: The path of the store whose content the target gets; nil if the target becomes empty.
    ///   - way: Whether the files are copied or moved.
    ///   - target: The path of the store whose content is replaced.
    init(from source: String?, _ way: Way = .copying, to target: String) throws(StoreError) {
        self.target = target
        folder = ExternalFolder(ofStoreAt: target)
        let theirs = source.map { ExternalFolder(ofStoreAt: $0) }
        latter = Set(theirs?.files().map { $0.name } ?? [])
        brought = latter.subtracting(folder.names())
        origin = way == .moving ? theirs : nil
        do throws(StoreError) {
            try find()
            try add(latter)
            guard let theirs, !latter.isEmpty else { return }
            for name in latter { try bring(name, of: theirs, way) }
            try folder.synchronize()
        } catch {
            undo()
            throw Self.failure(error, target)
        }
    }

    /// Finds out again which files belong to the target. Must be called when no other connection can write to
    /// the target any more, since other processes may add files until then.
    func look() throws(SQLError) {
        do throws(StoreError) {
            try find()
        } catch {
            throw ExternalFiles.failure(error)
        }
    }

    private func find() throws(StoreError) {
        // Two stores may share the folder, and without the rows it is unknown which files belong to which.
        let own = SQLiteStores.hasNamesake(target) ? [] : Set(folder.names())
        // Notes are read after the folder, since each file is noted before it is created.
        inWork = own.isEmpty ? [] : PendingFiles.namesInWork(of: target, except: note).intersection(own)
        let known = former
        former = own.subtracting(inWork)
        try add(own.subtracting(known))
    }

    private func add(_ names: Set<String>) throws(StoreError) {
        if names.isEmpty { return }
        if note == nil { note = try PendingFiles(of: target) }
        for name in names { try note?.add(name) }
    }

    private func bring(_ name: String, of theirs: ExternalFolder, _ way: Way) throws(StoreError) {
        if way == .moving, brought.contains(name) { return try folder.move(name, of: theirs, to: name) }
        // Another process may be adding the same file, or have died while it wrote the file.
        let copy = UUID().uuidString
        try note?.add(copy)
        do throws(StoreError) {
            // A commit may have removed the file meanwhile, which is no error.
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

    /// Runs `body`, which replaces the content of the target, and then removes the files that rows no longer
    /// name.
    func exchanging(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        do throws(StoreError) {
            try body()
        } catch {
            switch error.kind {
            case .busy, .overtaken: undo()
            case _ where !FileManager.default.fileExists(atPath: target): undo()
            // The content may have been replaced nevertheless. The next process to open the store finds out
            // from its rows.
            default: note?.abandon()
            }
            throw error
        }
        let isDone = folder.remove(former.subtracting(latter))
        if isDone, inWork.isSubset(of: latter) { note?.remove([]) } else { note?.abandon() }
    }

    /// Restores the folder of the target, and the folder of the source if its files were moved.
    func undo() {
        if let origin {
            for name in brought { try? origin.move(name, of: folder, to: name) }
        }
        // Another process may have added the same files for a store that it made there.
        if FileStamp(path: target) == nil { note?.remove(brought) } else { note?.abandon() }
        folder.removeIfEmpty()
    }
}
