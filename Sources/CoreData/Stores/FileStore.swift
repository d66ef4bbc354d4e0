import CoreDataMemory
import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// A store that is one file, in memory while it is open and written as a whole by every save.
class FileStore: NSPersistentStore, FileBasedStore, @unchecked Sendable {
    private struct State {
        var file: WholeFile?
        var backend: MemoryBackend?
        var metadata = StoreMetadata([:])
    }

    private let state = Guarded(State())

    /// The format of the file; what a subclass says.
    class var format: any StoreFileFormat.Type { XMLStoreFormat.self }

    // MARK: Opening

    override func open(_ model: FrozenModel, _ entities: Set<EntityIndex>?) throws -> any StoreBackend {
        do {
            try model.compiled.requireDerivations(of: entities)
            let file = WholeFile(url!)
            let names = model.names(of: entities)
            let content = try file.read()
            if content == nil, isReadOnly {
                throw StoreError(
                    .fileMissing, "a store that does not exist cannot be opened read-only", path: url?.path)
            }
            let (metadata, tables) = try content.map { try read($0, model, names) } ?? made(model, names)
            let backend = MemoryBackend(
                tables, identity: ObjectIdentifier(self), isReadOnly: isReadOnly
            ) { [unowned self] tables throws(StoreError) in try write(tables, to: file) }
            state.withLock { $0 = State(file: file, backend: backend, metadata: metadata) }
            if content == nil { try backend.rewrite() }
            return backend
        } catch {
            throw translated(error)
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

    /// Where the next save goes.
    override var url: URL? {
        get { state.withLock { $0.file?.url } ?? super.url }
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
        set {
            state.withLock { $0.metadata = $0.metadata.replaced(by: newValue ?? [:]) }
            do throws(StoreError) {
                try state.withLock { $0.backend }?.rewrite()
            } catch {
                FrameworkLog.warning(
                    "The metadata of \(url?.path ?? "") could not be written: \(error.message)")
            }
        }
    }

    static func canRead(_ url: URL) -> Bool {
        guard let file = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? file.close() }
        return format.canRead((try? file.read(upToCount: 512)) ?? Data())
    }

    override class func copyFiles(
        from source: URL, to target: URL, _ options: [AnyHashable: Any]
    ) throws {
        do {
            let content = try content(of: source)
            _ = try format.metadata(of: content)
            try WholeFile.replace(target, with: content)
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
            let content = try content(of: url)
            let uuid = try format.metadata(of: content).uuid
            let stored = try stored(StoreMetadata(metadata ?? [:]), uuid)
            try WholeFile.replace(url, with: try format.replacing(stored, in: content))
        } catch {
            throw translated(error)
        }
    }

    private static func content(of url: URL) throws(StoreError) -> Data {
        if let content = try WholeFile.content(of: url) { return content }
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
