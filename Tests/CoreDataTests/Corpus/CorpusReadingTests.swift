import Foundation
import Testing

@testable import CoreData

@Suite("Reading stores written by Apple's framework", .enabled(if: !CorpusStore.all.isEmpty))
struct CorpusReadingTests {
    @Test("Every row of every entity is fetched", arguments: CorpusStore.openable)
    func counts(store: CorpusStore) throws {
        let folder = try ScratchFolder()
        let url = try store.copy(to: folder)
        let model = try store.model()
        let database = try PlainDatabase(url)
        let numbers = try database.entityNumbers(in: model)
        let opened = try OpenedStore(url, model)
        try opened.context.performAndWait {
            for entity in model.entities {
                let name = try #require(entity.name)
                let expected = try database.integer(
                    "SELECT COUNT(*) FROM \(table(of: entity)) WHERE Z_ENT IN (\(family(entity, numbers)))")
                let request = NSFetchRequest<NSManagedObject>(entityName: name)
                let objects = try opened.context.fetch(request)
                #expect(Int64(objects.count) == expected, "\(name)")
                #expect(try opened.context.count(for: request) == objects.count, "\(name)")
                #expect(Set(objects.map(\.objectID)).count == objects.count, "\(name)")
                #expect(objects.allSatisfy { $0.entity.isKindOf(entity: entity) }, "\(name)")
            }
        }
        try opened.close()
    }

    @Test(
        "Every attribute and relationship of every row equals what plain SQL reads",
        arguments: CorpusStore.openable)
    func values(store: CorpusStore) throws {
        let folder = try ScratchFolder()
        let url = try store.copy(to: folder)
        let model = try store.model(withOpaqueTransformers: true)
        let opened = try OpenedStore(url, model)
        let counts = try opened.context.performAndWait {
            let plain = try PlainStore(url, model)
            return try StoreComparison(context: opened.context, store: plain).compareAll()
        }
        let rows = try PlainStore(url, model)
        let expected = try model.entities.reduce(0) { try $0 + rows.rows(of: $1).count }
        #expect(counts.objects == expected)
        #expect(counts.values >= counts.objects)
        try opened.close()
    }

    @Test("A store opened, read and closed is not changed", arguments: CorpusStore.openable)
    func untouched(store: CorpusStore) throws {
        let folder = try ScratchFolder()
        let url = try store.copy(to: folder)
        let before = try contents(of: url)
        let opened = try OpenedStore(url, try store.model())
        try opened.context.performAndWait {
            for entity in opened.coordinator.managedObjectModel.entities {
                let request = NSFetchRequest<NSManagedObject>(entityName: try #require(entity.name))
                for object in try opened.context.fetch(request).prefix(3) { _ = object.objectID }
            }
            #expect(!opened.context.hasChanges)
            try opened.context.save()
        }
        try opened.close()
        #expect(try contents(of: url) == before)
    }

    @Test(
        "An entity renamed by a migration is found by its number, written and found again",
        arguments: CorpusStore.renamed)
    func renamedEntity(store: CorpusStore) throws {
        let folder = try ScratchFolder()
        let url = try store.copy(to: folder)
        let before = try PlainDatabase(url).rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY")
        for count in [5, 6] {
            let opened = try OpenedStore(url, try store.model())
            try opened.context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "LuxuryCar")
                let cars = try opened.context.fetch(request)
                #expect(cars.count == count)
                #expect(cars.allSatisfy { $0.entity.name == "LuxuryCar" })
                let car = NSEntityDescription.insertNewObject(
                    forEntityName: "LuxuryCar", into: opened.context)
                car.setValue("new \(count)", forKey: "numberPlate")
                try opened.context.save()
            }
            try opened.close()
        }
        let database = try PlainDatabase(url)
        #expect(try database.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY") == before)
        #expect(try database.integer("SELECT COUNT(*) FROM ZCAR WHERE Z_ENT = 3") == 7)
        #expect(try database.integrity() == ["ok"])
    }

    @Test("Every store of the corpus opens, with its cached model or one of its repository")
    func everyStore() {
        for store in CorpusStore.all {
            if case .unknown(let reason) = store.origin { Issue.record("\(store.path): \(reason)") }
        }
    }

    // MARK: Comparing

    private func table(of entity: NSEntityDescription) -> String {
        var root = entity
        while let parent = root.superentity { root = parent }
        return "Z" + (root.name ?? "").uppercased()
    }

    private func family(_ entity: NSEntityDescription, _ numbers: [String: Int64]) -> String {
        var names: [String] = []
        var waiting = [entity]
        while let next = waiting.popLast() {
            names.append(next.name ?? "")
            waiting += next.subentities
        }
        return names.compactMap { numbers[$0] }.map(String.init).joined(separator: ", ")
    }

    private func contents(of url: URL) throws -> [String: [[PlainDatabase.Cell]]] {
        let database = try PlainDatabase(url)
        let tables = try database.strings("SELECT name FROM sqlite_master WHERE type = 'table'")
        return Dictionary(
            uniqueKeysWithValues: try tables.map { ($0, try database.rows("SELECT * FROM \"\($0)\"")) })
    }
}
