import CoreData
import Foundation
import Synchronization

/// An atomic store in a text file: a line of JSON for the metadata and one for each object, so that version
/// control and `grep` can read it.
///
/// Attributes are written as property lists would have them, relationships as `"Entity/number"`.
public final class JSONLinesStore: NSAtomicStore, @unchecked Sendable {
    public static let storeType = "JSONLines"

    public static func register() {
        NSPersistentStoreCoordinator.registerStoreClass(self, forStoreType: storeType)
    }

    private enum Failure: Error {
        case malformed(line: Int)
    }

    public override var type: String { Self.storeType }

    /// The number of the newest object there ever was.
    private let lastNumber = Mutex<Int64>(0)

    public override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        NSNumber(
            value: lastNumber.withLock { number in
                number += 1
                return number
            })
    }

    // MARK: Metadata

    public override func loadMetadata() throws {
        guard let url, FileManager.default.fileExists(atPath: url.path) else { return }
        metadata = try Self.metadataForPersistentStore(with: url)
    }

    public override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        guard let data = (try head(of: url)["metadata"] as? String).flatMap({ Data(base64Encoded: $0) }),
            let metadata = try PropertyListSerialization.propertyList(from: data, format: nil)
                as? [String: Any]
        else { throw Failure.malformed(line: 1) }
        return metadata
    }

    private static func head(of url: URL) throws -> [String: Any] {
        let line = try String(contentsOf: url, encoding: .utf8).prefix { $0 != "\n" }
        return try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }

    // MARK: Reading

    public override func load() throws {
        guard let url, FileManager.default.fileExists(atPath: url.path) else { return }
        let last = (try Self.head(of: url)["last"] as? NSNumber)?.int64Value ?? 0
        lastNumber.withLock { $0 = last }
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst()
        var nodes: [(node: NSAtomicStoreCacheNode, line: [String: Any])] = []
        for (index, line) in lines.enumerated() {
            guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let name = object["id"] as? String, let id = objectID(named: name)
            else { throw Failure.malformed(line: index + 2) }
            nodes.append((NSAtomicStoreCacheNode(objectID: id), object))
        }
        addCacheNodes(Set(nodes.map(\.node)))
        for (node, line) in nodes { fill(node, from: line) }
    }

    private func objectID(named name: String) -> NSManagedObjectID? {
        let parts = name.split(separator: "/").map(String.init)
        guard parts.count == 2, let number = Int64(parts[1]),
            let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[parts[0]]
        else { return nil }
        return objectID(for: entity, withReferenceObject: NSNumber(value: number))
    }

    private func fill(_ node: NSAtomicStoreCacheNode, from line: [String: Any]) {
        let entity = node.objectID.entity
        for (name, attribute) in entity.attributesByName {
            node.setValue(line[name].flatMap { value($0, attribute.attributeType) }, forKey: name)
        }
        for (name, relationship) in entity.relationshipsByName {
            let members = (line[name] as? [String] ?? []).compactMap(objectID(named:)).compactMap(
                cacheNode(for:))
            let value: Any? =
                if !relationship.isToMany {
                    members.first
                } else if relationship.isOrdered {
                    NSOrderedSet(array: members)
                } else {
                    NSSet(array: members)
                }
            node.setValue(value, forKey: name)
        }
    }

    private func value(_ json: Any, _ type: NSAttributeType) -> Any? {
        switch (type, json) {
        case (.dateAttributeType, let number as NSNumber):
            Date(timeIntervalSinceReferenceDate: number.doubleValue)
        case (.decimalAttributeType, let text as String): NSDecimalNumber(string: text)
        case (.UUIDAttributeType, let text as String): UUID(uuidString: text)
        case (.URIAttributeType, let text as String): URL(string: text)
        case (.binaryDataAttributeType, let text as String): Data(base64Encoded: text)
        case (.transformableAttributeType, let text as String): Self.unarchived(text)
        default: json
        }
    }

    // MARK: Writing

    public override func save() throws {
        guard let url else { return }
        let data = try PropertyListSerialization.data(
            fromPropertyList: metadata!, format: .binary, options: 0)
        var lines = [try line(["metadata": data.base64EncodedString(), "last": lastNumber.withLock { $0 }])]
        for node in cacheNodes() { lines.append(try line(contents(of: node))) }
        try (lines.joined(separator: "\n") + "\n").write(to: url, atomically: true, encoding: .utf8)
    }

    private func line(_ object: [String: Any]) throws -> String {
        String(
            decoding: try JSONSerialization.data(
                withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes]), as: UTF8.self)
    }

    private func name(of node: NSAtomicStoreCacheNode) -> String {
        "\(node.objectID.entity.name ?? "")/\(referenceObject(for: node.objectID))"
    }

    private func contents(of node: NSAtomicStoreCacheNode) -> [String: Any] {
        var line: [String: Any] = ["id": name(of: node)]
        for name in node.objectID.entity.attributesByName.keys {
            line[name] = node.value(forKey: name).map(json)
        }
        for name in node.objectID.entity.relationshipsByName.keys {
            let members: [Any] =
                switch node.value(forKey: name) {
                case nil: []
                case let set as NSSet: set.allObjects
                case let set as NSOrderedSet: set.array
                case let member?: [member]
                }
            line[name] = members.compactMap { ($0 as? NSAtomicStoreCacheNode).map(self.name(of:)) }
        }
        return line
    }

    private func json(_ value: Any) -> Any {
        switch value {
        case let date as Date: date.timeIntervalSinceReferenceDate
        case let number as NSDecimalNumber: number.stringValue
        case let uuid as UUID: uuid.uuidString
        case let url as URL: url.absoluteString
        case let data as Data: data.base64EncodedString()
        case is String, is NSNumber: value
        default: Self.archived(value)
        }
    }

    private static func archived(_ value: Any) -> String {
        NSSecureUnarchiveFromDataTransformer().reverseTransformedValue(value)
            .flatMap { ($0 as? Data)?.base64EncodedString() } ?? ""
    }

    private static func unarchived(_ text: String) -> Any? {
        Data(base64Encoded: text).flatMap { NSSecureUnarchiveFromDataTransformer().transformedValue($0) }
    }
}
