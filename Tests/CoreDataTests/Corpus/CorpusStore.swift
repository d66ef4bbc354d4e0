import CoreDataModelFormat
import CoreDataModelSource
import CoreDataSQLite
import Foundation
import Testing

@testable import CoreData

/// A SQLite store written by Apple's framework, if such stores are in the folder beside the package.
struct CorpusStore: Sendable, CustomTestStringConvertible {
    /// The origin of the model with which the store was written.
    enum Origin: Sendable {
        /// The archive in the store itself.
        case cache(ModelDocument)
        /// A model source of the same repository that has the store's version hashes.
        case source(ModelDocument)
        /// A store whose migration renamed an entity: Z_PRIMARYKEY still has the old name.
        case renamed(ModelDocument)
        case unknown(reason: String)
    }

    /// Relative to the corpus.
    let path: String
    let origin: Origin

    var testDescription: String { path }

    static let folder: URL = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { url.deleteLastPathComponent() }
        return url.appendingPathComponent("shared/corpus")
    }()

    // MARK: Lists

    static let all: [CorpusStore] = paths.map { CorpusStore(path: $0, origin: origin(of: $0)) }

    /// The stores that open.
    static let openable = all.filter {
        switch $0.origin {
        case .cache, .source, .renamed: true
        case .unknown: false
        }
    }

    static let renamed = all.filter { if case .renamed = $0.origin { true } else { false } }

    private static let paths: [String] = {
        guard let files = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        var result: [String] = []
        for case let path as String in files where !path.hasSuffix("-wal") && !path.hasSuffix("-shm") {
            guard let handle = FileHandle(forReadingAtPath: folder.path + "/" + path) else { continue }
            defer { try? handle.close() }
            if (try? handle.read(upToCount: 15)) == Data("SQLite format 3".utf8) { result.append(path) }
        }
        return result.sorted()
    }()

    // MARK: Models

    private static func origin(of path: String) -> Origin {
        do {
            let folder = try ScratchFolder()
            let copy = try copy(path, to: folder)
            guard let cache = try SQLiteStores.modelCache(at: copy.path) else {
                return try source(for: path, copy)
            }
            let document = try CompiledModelReader().read(cache).document
            let numbered = try PlainDatabase(copy).strings(
                "SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16000")
            return Set(numbered) == Set(document.entities.map(\.name)) ? .cache(document) : .renamed(document)
        } catch {
            return .unknown(reason: "\(error)")
        }
    }

    private static func source(for path: String, _ copy: URL) throws -> Origin {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: copy)
        let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        let repository = folder.appendingPathComponent(path.components(separatedBy: "/")[0])
        let files = FileManager.default.enumerator(atPath: repository.path)
        while let file = files?.nextObject() as? String {
            let url = repository.appendingPathComponent(file)
            if file.hasSuffix(".xcdatamodel/elements") {
                let document = try EditorModel(Data(contentsOf: url)).document()
                if VersionHashes(document).byEntity == stored { return .source(document) }
            }
            guard file.hasSuffix(".xcdatamodel") || file.hasSuffix(".mom") else { continue }
            guard let package = try? ModelPackage.read(at: url) else { continue }
            for version in package.versions where VersionHashes(version.document).byEntity == stored {
                return .source(version.document)
            }
        }
        return .unknown(reason: "no model cache, and no model of its repository has its version hashes")
    }

    /// Returns the model with which the store was written.
    ///
    /// - Parameter withOpaqueTransformers: Whether transformable values are read as the stored data.
    func model(withOpaqueTransformers: Bool = false) throws -> NSManagedObjectModel {
        switch origin {
        case .cache(let document), .source(let document), .renamed(let document):
            let model = NSManagedObjectModel()
            try model.thaw(document)
            if withOpaqueTransformers { OpaqueTransformer.replaceAll(of: model) }
            OpaqueTransformer.standIn(for: model)
            return model
        case .unknown(let reason):
            throw NoModel(reason: reason)
        }
    }

    static let opaqueTransformerName = "CorpusOpaqueTransformer"

    struct NoModel: Error {
        let reason: String
    }

    // MARK: Copies

    /// Returns a writable copy, with its log and its external data.
    func copy(to folder: ScratchFolder) throws -> URL { try Self.copy(path, to: folder) }

    private static func copy(_ path: String, to scratch: ScratchFolder) throws -> URL {
        let original = folder.appendingPathComponent(path)
        let target = scratch.file(original.lastPathComponent)
        let support = ".\(original.deletingPathExtension().lastPathComponent)_SUPPORT"
        let folders = (original.deletingLastPathComponent(), target.deletingLastPathComponent())
        let pairs =
            ["", "-wal", "-journal"].map { (original.path + $0, target.path + $0) }
            + [
                (
                    folders.0.appendingPathComponent(support).path,
                    folders.1.appendingPathComponent(support).path
                )
            ]
        for (from, to) in pairs where FileManager.default.fileExists(atPath: from) {
            try FileManager.default.copyItem(atPath: from, toPath: to)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: target.path)
        return target
    }
}

/// Replaces transformers of apps that are not here: the object is the data.
private final class OpaqueTransformer: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? { value }
    override func reverseTransformedValue(_ value: Any?) -> Any? { value }

    static func replaceAll(of model: NSManagedObjectModel) {
        for attribute in model.entities.flatMap(\.attributesByName.values)
        where attribute.attributeType == .transformableAttributeType {
            attribute.valueTransformerName = CorpusStore.opaqueTransformerName
        }
    }

    static func standIn(for model: NSManagedObjectModel) {
        for attribute in model.entities.flatMap(\.attributesByName.values) {
            guard let name = attribute.valueTransformerName.map(NSValueTransformerName.init(rawValue:)),
                ValueTransformer(forName: name) == nil
            else { continue }
            ValueTransformer.setValueTransformer(OpaqueTransformer(), forName: name)
        }
    }
}
