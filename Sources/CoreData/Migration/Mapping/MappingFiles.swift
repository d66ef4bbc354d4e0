import CoreDataModelFormat
import Foundation

/// The compiled mapping models a program can reach.
struct MappingFiles {
    private let urls: [URL]

    init(bundles: [Bundle]?) {
        urls = ModelFiles(bundles: bundles).mappingURLs()
    }

    /// The first that leads from one model to the other.
    func document(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) -> MappingDocument? {
        guard !urls.isEmpty else { return nil }
        let (sourceSide, destinationSide) = (MappedVersion(source), MappedVersion(destination))
        return urls.lazy.compactMap(Self.read).first { document in
            sourceSide.isCovered(by: document.entities.map { ($0.sourceName, $0.sourceHash) })
                && destinationSide.isCovered(
                    by: document.entities.map { ($0.destinationName, $0.destinationHash) })
        }
    }

    private static func read(_ url: URL) -> MappingDocument? {
        do {
            return try CompiledMappingReader().read(at: url)
        } catch {
            FrameworkLog.warning("Failed to load mapping model at path '\(url.path)': \(error)")
            return nil
        }
    }
}

/// One of the two models of a mapping, by its entities.
private struct MappedVersion {
    let hashes: [String: Data]
    let concreteNames: Set<String>

    init(_ model: NSManagedObjectModel) {
        hashes = model.entityVersionHashesByName
        concreteNames = Set(model.entities.filter { !$0.isAbstract }.compactMap(\.name))
    }

    /// Whether all entities that the mappings name are of this version, and all that can have objects are named.
    func isCovered(by entities: [(name: String?, hash: [UInt8]?)]) -> Bool {
        var missing = concreteNames
        for case (let name?, let hash) in entities {
            guard let hash, hashes[name] == Data(hash) else { return false }
            missing.remove(name)
        }
        return missing.isEmpty
    }
}
