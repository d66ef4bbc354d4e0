import CoreDataMemory
import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// A store in one file, which is in memory while it is open and written as a whole by every save.
class FileStore: NSPersistentStore, FileBasedStore, @unchecked Sendable {
    private struct State {
        var file: WholeFile?
        var backend: MemoryBackend?
        var metadata = StoreMetadata([:])
    }

    private let state = Guarded(State())

    /// The format of the file; subclasses override it.
    class var format: any StoreFileFormat.Type { XMLStoreFormat.self }

    // MARK: Opening

    override func open(_ model: FrozenModel, _ entities: Set<EntityIndex>?) throws -> any StoreBackend {
        do {
            try model.compiled.requireDerivations(of: entities)
            let url = url!.isNowhere ? .nowhere : url!
            return try openOrCreate(
                WholeFile(url, timeout: (options ?? [:]).timeout), model, model.names(of: entities))
        } catch {
            throw translated(error)
        }
    }

    private func openOrCreate(
        _ file: WholeFile, _ model: FrozenModel, _ names: Set<String>?
    ) throws -> MemoryBackend {
        while true {
            let content = try file.read()
            if content == nil, mustExist { throw Self.removed(url) }
            if content == nil, isReadOnly {
                throw StoreError(
                    .fileMissing, "a store that does not exist cannot be opened read-only", path: url?.path)
            }
            let (metadata, tables) = try content.map { try read($0, model, names) } ?? made(model, names)
            let backend = MemoryBackend(
                tables, identity: ObjectIdentifier(self), isReadOnly: isReadOnly
            ) { [unowned self] tables throws(StoreError) in try write(tables, to: file) }
            state.withLock { $0 = State(file: file, backend: backend, metadata: metadata) }
            if content != nil { return backend }
            do throws(StoreError) {
                try backend.rewrite()
                return backend
            } catch {
                // Another process has made a store meanwhile, which is read instead.
                guard case .overtaken = error.kind else { throw error }
            }
        }
    }

    private func read(
        _ content: Data, _ model: FrozenModel, _ names: Set<String>?
    ) throws -> (StoreMetadata, MemoryTables) {
        do {
            let stored = try Self.format.metadata(of: content)
            let metadata = StoreMetadata(try Self.values(of: stored))
            try metadata.requireFit(of: model, entityNames: names, in: self)
            identifier = stored.uuid
            return (metadata, try Self.format.read(content, model.compiled, model.layouts).tables)
        } catch var error as StoreError {
            error.path = url?.path
            throw error
        }
    }

    private func made(_ model: FrozenModel, _ names: Set<String>?) throws -> (StoreMetadata, MemoryTables) {
        (
            StoreMetadata(type: type, model: model.compiled, entityNames: names),
            MemoryTables(model.compiled, lastKey: Self.format.keyBase)
        )
    }

    // MARK: Writing

    private func write(_ tables: MemoryTables, to file: WholeFile) throws(StoreError) {
        let stored = try Self.stored(state.withLock { $0.metadata }, identifier)
        try file.write(try Self.format.write(StoreContents(metadata: stored, tables: tables)))
    }

    private static func stored(
        _ metadata: StoreMetadata, _ identifier: String
    ) throws(StoreError) -> StoredMetadata {
        var values = metadata.values
        for key in [NSStoreTypeKey, NSStoreUUIDKey, "_NSAutoVacuumLevel"] { values[key] = nil }
        do {
            return StoredMetadata(uuid: identifier, plist: try StoreMetadata(values).plist())
        } catch {
            throw StoreError(.invalidValue, "the metadata is no property list: \(error)")
        }
    }

    /// The place to which the next save writes.
    override var url: URL? {
        get { super.url?.isNowhere == true ? super.url : state.withLock { $0.file?.url } ?? super.url }
        set {
            super.url = newValue
            if let newValue { state.withLock { $0.file }?.move(to: newValue) }
        }
    }

    override func move(to url: URL) -> Bool {
        self.url = url
        return true
    }

    // MARK: Metadata

    override var metadata: [String: Any]! {
        get { state.withLock { $0.metadata.values(of: identifier) } }
        set { noteFailure { try write(metadata: newValue ?? [:]) } }
    }

    override func write(metadata: [String: Any]) throws {
        state.withLock { $0.metadata = $0.metadata.replaced(by: metadata) }
        do throws(StoreError) {
            try state.withLock { $0.backend }?.rewrite()
        } catch {
            throw error.nsError()
        }
    }

    override class func removeLeftovers(at url: URL) {
        super.removeLeftovers(at: url)
        // The file may have replaced a database, which had external files.
        sqliteStores.removeExternalFiles(leftAt: url.path)
    }

    static func canRead(_ url: URL) -> Bool {
        guard let start = try? WholeFile.content(of: url, atMost: 512) else { return false }
        return format.canRead(start)
    }

    override class func copyFiles(
        from source: URL, to target: URL, _ options: [AnyHashable: Any]
    ) throws {
        do {
            let content = try content(of: source)
            _ = try format.metadata(of: content)
            try changeFile(at: target, options) { condition throws(StoreError) in
                try WholeFile.replace(target, with: content, timeout: options.timeout, if: condition)
            }
        } catch {
            throw translated(error)
        }
    }

    override class func removeFiles(at url: URL, _ options: [AnyHashable: Any]) throws {
        do {
            try changeFile(at: url, options) { condition throws(StoreError) in
                try WholeFile.remove(url, timeout: options.timeout, if: condition)
            }
        } catch {
            throw translated(error)
        }
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        do {
            return try values(of: try format.metadata(of: try content(of: url)))
        } catch {
            throw translated(error)
        }
    }

    private static func values(of stored: StoredMetadata) throws -> [String: Any] {
        var values = try StoreMetadata(plist: stored.plist).values
        values[NSStoreUUIDKey] = stored.uuid
        values[NSStoreTypeKey] = storeType
        return values
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        do {
            // The retries keep changes that other processes save meanwhile, and do not recreate a store that
            // they destroy.
            try FileLock.retrying(url.path, timeout: WholeFile.defaultTimeout) { found throws(StoreError) in
                let content = try content(of: url)
                let former = try format.metadata(of: content)
                let new: StoreMetadata
                do {
                    new = try StoreMetadata(plist: former.plist).updated(by: metadata ?? [:])
                } catch {
                    throw error as? StoreError ?? StoreError(.corrupt, "\(error)", path: url.path)
                }
                let changed = try format.replacing(try stored(new, former.uuid), in: content)
                return try WholeFile.replace(url, with: changed) { $0 == found }
            }
        } catch {
            throw translated(error)
        }
    }

    private static func content(of url: URL) throws(StoreError) -> Data {
        if let content = try WholeFile.content(of: url), !content.isEmpty { return content }
        throw StoreError(.fileMissing, "There is no store.", path: url.path)
    }

    class var storeType: String { NSXMLStoreType }
    override var type: String { Self.storeType }
}

/// A store of type XML, in Apple's format (xml-store §1).
final class XMLStore: FileStore, @unchecked Sendable {}

/// A store of type Binary, in the format of `BinaryStoreFormat`.
final class BinaryStore: FileStore, @unchecked Sendable {
    override class var format: any StoreFileFormat.Type { BinaryStoreFormat.self }
    override class var storeType: String { NSBinaryStoreType }
}
