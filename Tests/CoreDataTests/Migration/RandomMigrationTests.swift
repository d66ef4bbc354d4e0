import CoreData
import Foundation
import Testing

@Suite("Lightweight migration of random models and data")
@MainActor
struct RandomMigrationTests {
    @Test(
        "Each version has what the one before had, and its store is like one that is made new",
        arguments: RandomRun.seeds, [VersionedStore.Way.inPlace, .copied])
    func evolutions(_ seed: UInt64, _ way: VersionedStore.Way) throws {
        var evolution = RandomEvolution(seed: seed)
        var random = SeededGenerator(seed: seed &+ 7)
        let store = try VersionedStore(evolution.sketch.text, way)
        for _ in 0..<5 {
            Self.edit(store, &random)
            try store.context.save()
            store.context.reset()
            let before = try ObjectGraph(of: store.context)
            let old = evolution.sketch.text
            evolution.evolve()
            let model = evolution.sketch.model
            let message: Comment = "seed \(seed)\n\(old)\n--\n\(evolution.sketch.text)"
            do {
                try store.close()
                let plan = try NSPersistentStoreCoordinator.lightweightMigrationPlan(
                    forStoreAt: store.url, to: model)
                #expect([.inPlace, .notNeeded].contains(plan.method), message)
                #expect(plan.objectCount == before.nodes.count, message)
                try store.migrate(to: model, options: VersionedStore.verified)
            } catch {
                Issue.record("\(error)\n\(message)")
                return
            }
            let expected = before.migrated(to: model)
            let differences = try expected.differences(from: ObjectGraph(of: store.context))
            try #require(differences.isEmpty, message)
            try store.close()
            try Self.compareWithNew(store, model, message)
            try store.migrate(to: model, options: [:])
        }
    }

    /// Objects come, go and find each other.
    private static func edit(_ store: VersionedStore, _ random: inout SeededGenerator) {
        let model = store.coordinator.managedObjectModel
        var objects =
            (try? model.entities.filter { $0.superentity == nil }.flatMap { try store.fetch($0.name!) }) ?? []
        objects.sort { ($0.value(forKey: "name") as! String) < ($1.value(forKey: "name") as! String) }
        // What nothing leads back from would go on leading to an object that is gone.
        let lonely = model.entities.flatMap { $0.relationshipsByName.values }.filter {
            $0.inverseRelationship == nil
        }
        for object in objects where random.chance(10) {
            if lonely.contains(where: { object.entity.isKindOf(entity: $0.destinationEntity!) }) { continue }
            store.context.delete(object)
        }
        objects.removeAll(where: \.isDeleted)
        let entities = model.entities.filter { !$0.isAbstract }.sorted { $0.name! < $1.name! }
        for entity in entities {
            for _ in 0..<random.number(1...4) {
                objects.append(store.insert(entity.name!, ["name": "o\(random.next() % 1_000_000_000_000)"]))
            }
        }
        for object in objects {
            for (key, attribute) in object.entity.attributesByName.sorted(by: { $0.key < $1.key })
            where key != "name" && random.chance(60) {
                object.setValue(value(attribute, &random), forKey: key)
            }
            for (key, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key })
            where random.chance(60) {
                let candidates = objects.filter {
                    $0.entity.isKindOf(entity: relationship.destinationEntity!)
                }
                let members = (0..<random.number(0...3)).compactMap { _ in
                    candidates.isEmpty ? nil : random.pick(candidates)
                }
                if relationship.isOrdered {
                    object.setValue(NSOrderedSet(array: members), forKey: key)
                } else if relationship.isToMany {
                    object.setValue(NSSet(array: members), forKey: key)
                } else {
                    object.setValue(members.first, forKey: key)
                }
            }
        }
    }

    private static func value(_ attribute: NSAttributeDescription, _ random: inout SeededGenerator) -> Any? {
        if attribute.isOptional, random.chance(20) { return nil }
        let number = random.number(-9...9)
        switch attribute.attributeType {
        case .stringAttributeType: return "s\(number)"
        case .decimalAttributeType: return NSDecimalNumber(value: Double(number) / 4)
        case .booleanAttributeType: return number > 0
        case .doubleAttributeType: return Double(number) / 8
        case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: Double(number))
        case .binaryDataAttributeType: return Data("\(number)".utf8)
        case .UUIDAttributeType:
            return UUID(uuidString: "00000000-0000-0000-0000-00000000000\(abs(number))")
        default: return number
        }
    }

    /// Tables, columns, indexes, triggers and entity numbers are those of a store that never had another model.
    private static func compareWithNew(
        _ store: VersionedStore, _ model: NSManagedObjectModel, _ message: Comment
    ) throws {
        let folder = try ScratchFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let new = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file())
        try coordinator.remove(new)
        let (migrated, fresh) = (try PlainDatabase(store.url), try PlainDatabase(folder.file()))
        for query in [
            """
            SELECT m.name || '.' || c.name || ' ' || c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c \
            WHERE m.type = 'table' ORDER BY 1
            """,
            """
            SELECT replace(replace(name || ': ' || sql, '"', ''), '  ', ' ') FROM sqlite_master \
            WHERE type IN ('index', 'trigger') AND sql NOT NULL ORDER BY 1
            """,
            "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY ORDER BY 1",
        ] {
            let (found, wanted) = (try migrated.strings(query), try fresh.strings(query))
            try #require(found == wanted, message)
        }
        try #require(try migrated.integrity() == ["ok"], message)
    }
}
