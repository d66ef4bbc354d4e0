import CoreData
import Foundation

/// A custom store: a property list of its objects' texts, with the metadata.
final class LineStore: NSAtomicStore, @unchecked Sendable {
    private struct Content: Codable {
        var uuid: String
        var hashes: [String: Data]
        /// The values by key, for each object with its entity and number.
        var objects: [String: [String: String]]
    }

    private func content() throws -> Content? {
        guard let data = try? Data(contentsOf: url!) else { return nil }
        return try PropertyListDecoder().decode(Content.self, from: data)
    }

    override func loadMetadata() throws {
        guard let content = try content() else { return }
        metadata = [NSStoreUUIDKey: content.uuid, NSStoreModelVersionHashesKey: content.hashes]
    }

    override func load() throws {
        guard let model = persistentStoreCoordinator?.managedObjectModel else { return }
        let nodes = try (content()?.objects ?? [:]).map { name, values in
            let parts = name.split(separator: " ")
            let id = objectID(
                for: model.entitiesByName[String(parts[0])]!,
                withReferenceObject: NSNumber(value: Int64(parts[1])!))
            let node = NSAtomicStoreCacheNode(objectID: id)
            for (key, value) in values { node.setValue(value, forKey: key) }
            return node
        }
        addCacheNodes(Set(nodes))
    }

    override func save() throws {
        var content = Content(
            uuid: identifier, hashes: metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:],
            objects: [:])
        for node in cacheNodes() {
            let name = "\(node.objectID.entity.name!) \(referenceObject(for: node.objectID))"
            content.objects[name] = (node.propertyCache as? [String: Any] ?? [:]).compactMapValues {
                $0 as? String
            }
        }
        try PropertyListEncoder().encode(content).write(to: url!)
    }
}
