import Foundation
import Testing

@testable import CoreData

@Suite("Migration of stores written by Apple's framework")
struct CorpusMigrationTests {
    /// A later version of a model: every third entity and every fourth attribute has another name, every
    /// seventh attribute is removed, entities come before and after all others, and every hierarchy has one
    /// number more.
    private struct Later {
        let model: NSManagedObjectModel
        /// The new names by the old ones.
        private(set) var entities: [String: String] = [:]
        private(set) var attributes: [String: [String: String?]] = [:]

        init(_ old: NSManagedObjectModel) {
            model = old.copy() as! NSManagedObjectModel
            for (index, entity) in model.entities.sorted(by: { $0.name! < $1.name! }).enumerated() {
                let name = entity.name!
                change(
                    entity.properties.filter { entity.superentity?.propertiesByName[$0.name] == nil },
                    of: entity)
                if index % 3 == 0 { (entity.name, entity.renamingIdentifier) = ("X\(name)", name) }
                entities[name] = entity.name
                guard entity.superentity == nil else { continue }
                let number = ModelFixtures.attribute(
                    "zzExtra", .integer16AttributeType, default: 5, isOptional: false)
                entity.properties.append(number)
            }
            for name in ["AAAFirst", "zzzLast"] {
                model.entities.append(
                    ModelFixtures.entity(name, [ModelFixtures.attribute("name", .stringAttributeType)]))
            }
        }

        private mutating func change(_ properties: [NSPropertyDescription], of entity: NSEntityDescription) {
            let used = Self.used(in: entity)
            for (index, attribute) in properties.compactMap({ $0 as? NSAttributeDescription })
                .sorted(by: { $0.name < $1.name }).enumerated()
            {
                let name = attribute.name
                attributes[entity.name!, default: [:]][name] = name
                if attribute.isTransient || attribute is NSDerivedAttributeDescription || used.contains(name)
                {
                    continue
                }
                if index % 7 == 6 {
                    entity.properties.removeAll { $0 === attribute }
                    attributes[entity.name!]![name] = .some(nil)
                } else if index % 4 == 3 {
                    (attribute.name, attribute.renamingIdentifier) = ("x_\(name)", name)
                    attributes[entity.name!]![name] = attribute.name
                }
            }
        }

        /// Returns the properties used by indexes, constraints and derived attributes.
        private static func used(in entity: NSEntityDescription) -> Set<String> {
            let all = entity.managedObjectModel.entities
            let derived = all.flatMap { $0.properties }.compactMap { $0 as? NSDerivedAttributeDescription }
                .compactMap { $0.derivationExpression?.description }.joined()
            let locations = all.flatMap(\.properties).compactMap {
                $0.userInfo?["_NSLocationAttributeDerivedComponents"] as? String
            }.joined()
            let constraints = all.flatMap(\.uniquenessConstraints).joined().map { "\($0)" }
            let indexed = all.flatMap(\.indexes).flatMap(\.elements).compactMap(\.property?.name)
            let named = entity.attributesByName.keys.filter { derived.contains($0) || locations.contains($0) }
            return Set(constraints + indexed + named)
        }

        func name(of attribute: String, in entity: NSEntityDescription) -> String? {
            var level: NSEntityDescription? = entity
            while let current = level {
                if let name = attributes[current.name!]?[attribute] { return name }
                level = current.superentity
            }
            return attribute
        }
    }

    /// The stores that contain their model.
    private static let withModel = CorpusStore.all.filter {
        switch $0.origin {
        case .cache, .renamed: true
        case .source, .unknown: false
        }
    }

    @Test(
        "Every row, value and relationship has its new name, and the file passes the check",
        .enabled(if: !withModel.isEmpty, "the corpus is not there"), arguments: withModel)
    func evolved(_ sample: CorpusStore) throws {
        let folder = try ScratchFolder()
        let url = try sample.copy(to: folder)
        let old = try sample.model(withOpaqueTransformers: true)
        let before = try OpenedStore(url, old, options: [NSReadOnlyPersistentStoreOption: true as NSNumber])
        let later = Later(try sample.model(withOpaqueTransformers: true))
        let expected = try contents(before, of: old) { later.name(of: $0, in: $1) }
        try before.close()
        let after = try OpenedStore(url, later.model, options: VersionedStore.verified)
        let found = try contents(after, of: later.model) { name, _ in name == "zzExtra" ? nil : name }
        for (entity, rows) in expected {
            let name = try #require(later.entities[entity])
            #expect(found[name] == rows, "\(entity)")
        }
        for root in later.model.entities where root.superentity == nil && !root.name!.hasPrefix("AAA") {
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: root.name!)
            request.predicate = NSPredicate(format: root.name == "zzzLast" ? "name != nil" : "zzExtra != 5")
            #expect(try after.context.performAndWait { try after.context.count(for: request) } == 0)
        }
        try after.close()
        #expect(try PlainDatabase(url).integrity() == ["ok"])
        let again = try OpenedStore(url, later.model)
        try again.close()
    }

    /// Returns the rows by entity and key: each property by its new name with its value, as text.
    private func contents(
        _ store: OpenedStore, of model: NSManagedObjectModel,
        naming: (String, NSEntityDescription) -> String?
    ) throws -> [String: [Int64: [String: String]]] {
        try store.context.performAndWait {
            var result: [String: [Int64: [String: String]]] = [:]
            for entity in model.entities where !entity.isAbstract {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
                request.includesSubentities = false
                var rows: [Int64: [String: String]] = [:]
                for object in try store.context.fetch(request) {
                    var values: [String: String] = [:]
                    for (name, attribute) in entity.attributesByName where !attribute.isTransient {
                        guard let later = naming(name, entity) else { continue }
                        values[later] = object.value(forKey: name).map(Self.text)
                    }
                    for (name, relationship) in entity.relationshipsByName where !relationship.isTransient {
                        values[name] = Self.text(object.value(forKey: name))
                    }
                    rows[StoreComparison.key(of: object.objectID)] = values
                }
                result[entity.name!] = rows
                store.context.reset()
            }
            return result
        }
    }

    private static func text(_ value: Any?) -> String {
        func key(_ object: Any) -> Int64 { StoreComparison.key(of: (object as! NSManagedObject).objectID) }
        switch value {
        case let set as NSOrderedSet: return "\(set.array.map(key))"
        case let set as NSSet: return "\(set.map(key).sorted())"
        case let object as NSManagedObject: return "\(key(object))"
        case let data as Data: return "\(data.count) bytes, \(data.hashValue)"
        case let value?: return "\(value)"
        case nil: return "nil"
        }
    }
}
