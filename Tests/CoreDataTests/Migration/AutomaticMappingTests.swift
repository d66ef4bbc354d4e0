import CoreDataModelFormat
import CoreDataModelSource
import Foundation
import Testing

@testable import CoreData

@Suite("Automatic migration with mapping models of bundles")
@MainActor
struct AutomaticMappingTests {
    nonisolated private static let types = VersionedStore.Way.allCases.filter { $0 != .copied }.map(\.type)

    @Test(
        "A bundle's mapping model is used before an inferred one, and without inference",
        arguments: types, [true, false])
    func mapped(_ type: String, _ infers: Bool) throws {
        #expect(try migrated(type, infers: infers, size: "$source.number + 1") == [4])
    }

    @Test(
        "Without a mapping model in a bundle the mapping is inferred, in every type of store",
        arguments: types)
    func inferred(_ type: String) throws {
        #expect(try migrated(type, infers: true, size: nil) == [3])
        let error = #expect(throws: NSError.self) { try migrated(type, infers: false, size: nil) }
        #expect(error?.code == NSMigrationMissingMappingModelError)
    }

    @Test(
        "A plan announces the bundle's mapping model, but not the effect on objects",
        .ofSQLite("A plan for a file")
    )
    func plan() throws {
        let store = try VersionedStore("A\n  name string\n  number int16")
        store.insert("A", ["name": "a"])
        let source = store.coordinator.managedObjectModel
        let destination = ModelSketch("A\n  name string\n  number string!").model
        let folder = try ScratchFolder()
        try store.close()
        func plan() throws -> StoreMigrationPlan {
            try MigrationPlanning(
                url: store.url, type: NSSQLiteStoreType, configurationName: nil, options: [:],
                destination: destination, bundles: [try #require(Bundle(url: folder.url))]
            ).plan()
        }
        #expect(try plan().method == .impossible)
        let mapping = NSMappingModel()
        let entity = MappingSketch.entity("A", from: "A", to: "A", ["number": "$source.name"])
        entity.sourceEntityVersionHash = source.entityVersionHashesByName["A"]
        entity.destinationEntityVersionHash = destination.entityVersionHashesByName["A"]
        mapping.entityMappings = [entity]
        try CompiledMappingWriter(mapping.document).cdm().write(to: folder.file("Mapping.cdm"))
        let mapped = try plan()
        #expect(mapped.method == .copying(reason: "the program has a mapping model for these versions"))
        #expect(mapped.obstacles.isEmpty)
        #expect(mapped.violations.isEmpty)
        #expect(mapped.statements.isEmpty)
        #expect(mapped.objectCount == 1)
    }

    @Test("A single mapping model of some entities drops the others; of several, none is used")
    func partial() throws {
        let sketch = "A\n  name string\n  number int16\nB\n  name string"
        for count in 1...2 {
            let store = try VersionedStore(sketch)
            store.insert("A", ["name": "a", "number": 3])
            store.insert("B", ["name": "b"])
            let source = store.coordinator.managedObjectModel
            let destination = ModelSketch(sketch.replacingOccurrences(of: "int16", with: "int32")).model
            let mapping = try NSMappingModel.inferredMappingModel(
                forSourceModel: source, destinationModel: destination)
            mapping.entityMappings.removeAll { $0.destinationEntityName == "B" }
            let number = mapping.entityMappings[0].attributeMappings!.first { $0.name == "number" }!
            number.valueExpression = NSExpression(format: "$source.number + 1")
            let folder = try ScratchFolder()
            for file in 1...count {
                try CompiledMappingWriter(mapping.document).cdm().write(to: folder.file("\(file).cdm"))
            }
            try store.close()
            try migrate(store, to: destination, infers: true, folder)
            #expect(try store.value("number", of: "A").map { $0 as? Int } == [count == 1 ? 4 : 3])
            #expect(try store.fetch("B").count == count - 1)
        }
    }

    /// Returns the sizes after a coordinator opened a store of another version.
    private func migrated(_ type: String, infers: Bool, size expression: String?) throws -> [Int?] {
        let store = try VersionedStore("A\n  name string\n  number int16", type: type)
        store.insert("A", ["name": "a", "number": 3])
        let source = store.coordinator.managedObjectModel
        let destination = ModelSketch("A\n  name string\n  size int32 was number").model
        let folder = try ScratchFolder()
        try source.archived().write(to: folder.file("Former.mom"))
        if let expression {
            let mapping = try NSMappingModel.inferredMappingModel(
                forSourceModel: source, destinationModel: destination)
            let size = mapping.entityMappings[0].attributeMappings!.first { $0.name == "size" }!
            size.valueExpression = NSExpression(format: expression)
            try CompiledMappingWriter(mapping.document).cdm().write(to: folder.file("Mapping.cdm"))
        }
        try store.close()
        try migrate(store, to: destination, infers: infers, folder)
        return try store.value("size", of: "A").map { $0 as? Int }
    }

    /// - Parameter folder: The folder with the content of a program's bundles.
    private func migrate(
        _ store: VersionedStore, to destination: NSManagedObjectModel, infers: Bool, _ folder: ScratchFolder
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destination)
        let open = try StoreTypes.storeClass(store.type).init(
            _adding: coordinator, configurationName: nil, at: store.url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
                NSInferMappingModelAutomaticallyOption: infers as NSNumber,
            ])
        open.addedType = store.type
        try StoreMigrator(
            store: open, coordinator: coordinator, entities: nil,
            bundles: [try #require(Bundle(url: folder.url))]
        ).migrate()
        try store.migrate(to: destination, options: [:])
    }
}
