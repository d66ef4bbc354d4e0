import CoreDataModelFormat
import Foundation

/// The compiled mapping models that a program can reach.
struct MappingFiles {
    private let urls: [URL]

    init(bundles: [Bundle]?) {
        urls = ModelFiles(bundles: bundles).mappingURLs()
    }

    /// A mapping model that leads from one model to another.
    struct Match {
        let document: MappingDocument
        /// The entities of the source that can have objects and have no mapping.
        let unmapped: Set<String>
        /// Whether all entities of both models have a mapping.
        let isWhole: Bool
    }

    /// Returns the first mapping model for all entities, or else the first for some: apps divide a migration
    /// among several mapping models, or leave out entities that are not to be kept.
    func match(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) -> Match? {
        let found = matches(from: source, to: destination)
        return found.first(where: \.isWhole) ?? found.first
    }

    /// Returns the mapping model that a migration can choose without the app.
    ///
    /// If several mapping models are for some entities each, only the app knows their order; if there is only
    /// one, it leaves out entities on purpose.
    func onlyMatch(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) -> Match? {
        let found = matches(from: source, to: destination)
        return found.first(where: \.isWhole) ?? (found.count == 1 ? found[0] : nil)
    }

    private func matches(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) -> [Match] {
        guard !urls.isEmpty else { return [] }
        let (sourceSide, destinationSide) = (MappedVersion(source), MappedVersion(destination))
        return urls.compactMap(Self.read).compactMap { document in
            guard !document.entities.isEmpty,
                let old = sourceSide.unmapped(by: document.entities.map { ($0.sourceName, $0.sourceHash) }),
                let new = destinationSide.unmapped(
                    by: document.entities.map { ($0.destinationName, $0.destinationHash) })
            else { return nil }
            return Match(document: document, unmapped: old, isWhole: old.isEmpty && new.isEmpty)
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

    /// Returns the entities that can have objects and that no mapping names; nil if a mapping is for another
    /// version.
    func unmapped(by entities: [(name: String?, hash: [UInt8]?)]) -> Set<String>? {
        var missing = concreteNames
        for case (let name?, let hash) in entities {
            guard let hash, hashes[name] == Data(hash) else { return nil }
            missing.remove(name)
        }
        return missing
    }
}
