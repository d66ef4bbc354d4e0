import Foundation
import Testing

@testable import CoreData

@Suite("Migrating stores written by Apple's framework")
@MainActor
struct MigrationCorpusTests {
    /// The policy named in the mapping of the stores' app: makers become objects.
    class MakerPolicy: NSEntityMigrationPolicy {
        override func createDestinationInstances(
            forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
            try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
            guard let name = sInstance.value(forKey: "maker") as? String,
                let car = manager.destinationInstances(
                    forEntityMappingName: mapping.name, sourceInstances: [sInstance]
                ).first
            else { return }
            let request = NSFetchRequest<NSManagedObject>(entityName: "Maker")
            request.predicate = NSPredicate(format: "name == %@", name)
            let maker =
                try manager.destinationContext.fetch(request).first
                ?? manager.destinationContext.insert("Maker", ["name": name])
            car.setValue(maker, forKey: "createdBy")
        }
    }

    nonisolated static let resources = CorpusStore.folder.appendingPathComponent(
        "alemar11__CoreDataPlus/Tests/Resources/SampleModel/Fixtures")
    nonisolated static var isThere: Bool { FileManager.default.fileExists(atPath: resources.path) }

    private func model(_ name: String) throws -> NSManagedObjectModel {
        try #require(
            NSManagedObjectModel(
                contentsOf: Self.resources.appendingPathComponent("SampleModel.momd/\(name).mom")))
    }

    private func copy(_ name: String, _ folder: ScratchFolder) throws -> URL {
        let url = folder.file(name)
        try FileManager.default.copyItem(at: Self.resources.appendingPathComponent(name), to: url)
        return url
    }

    private func open(_ url: URL, _ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
        let model = model.copy() as! NSManagedObjectModel
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = coordinator.context(.mainQueue)
        return context
    }

    /// Returns every car and person by its identifying value, with all values and the identifying values of
    /// its relatives.
    private func contents(_ context: NSManagedObjectContext, maker: String) throws -> [String: [String]] {
        func text(_ value: Any?) -> String { value.map { "\($0)" } ?? "nil" }
        func name(_ object: NSManagedObject?) -> String {
            object.map { "\(text($0.value(forKey: "firstName"))) \(text($0.value(forKey: "lastName")))" }
                ?? "nobody"
        }
        var result: [String: [String]] = [:]
        for car in try context.fetch("Car", nil, [], sortedBy: nil) {
            let keys =
                ["model", "markedForDeletionAsOf"]
                + (car.entity.name == "LuxuryCar" ? ["isLimitedEdition"] : [])
            result[text(car.value(forKey: "numberPlate"))] =
                [car.entity.name ?? "", text(car.value(forKeyPath: maker))]
                + keys.map { text(car.value(forKey: $0)) }
                + [name(car.value(forKey: "owner") as? NSManagedObject)]
        }
        for person in try context.fetch("Person", nil, [], sortedBy: nil) {
            let cars = (person.value(forKeyPath: "cars.numberPlate") as? Set<String> ?? []).sorted()
            result[name(person)] = [text(person.value(forKey: "updatedAt"))] + cars
        }
        return result
    }

    @Test("Every value equals what the mapping computes", .enabled(if: isThere))
    func mapped() throws {
        let folder = try ScratchFolder()
        let url = try copy("SampleModel_V2.sqlite", folder)
        let (former, latter) = (try model("SampleModel2"), try model("SampleModel3"))
        let mapping = try #require(
            NSMappingModel(contentsOf: Self.resources.appendingPathComponent("V2toV3.cdm")))
        for entity in mapping.entityMappings where entity.entityMigrationPolicyClassName != nil {
            entity.entityMigrationPolicyClassName = String(reflecting: MakerPolicy.self)
        }
        let migration = NSMigrationManager(sourceModel: former, destinationModel: latter)
        let target = folder.file("new.sqlite")
        try migration.migrateStore(from: url, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
        let before = try contents(try open(url, former), maker: "maker")
        let context = try open(target, latter)
        let after = try contents(context, maker: "createdBy.name")
        #expect(before.count == 145)
        #expect(after == before)
        let makers = try context.fetch("Maker", nil, [], sortedBy: nil).compactMap {
            $0.value(forKey: "name") as? String
        }
        #expect(makers.count == Set(makers).count)
        #expect(!makers.isEmpty)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: target)
        #expect(
            try model("SampleModel3").isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    }

    @Test("An inferred migration keeps every value, in place and by copy", .enabled(if: isThere))
    func inferred() throws {
        let folder = try ScratchFolder()
        let url = try copy("SampleModel_V1.sqlite", folder)
        let (former, latter) = (try model("SampleModel"), try model("SampleModel2"))
        let before = try contents(try open(url, try model("SampleModel")), maker: "maker")
        let target = folder.file("new.sqlite")
        try NSMigrationManager(sourceModel: former, destinationModel: latter).migrateStore(
            from: url, type: .sqlite,
            mapping: .inferredMappingModel(forSourceModel: former, destinationModel: latter), to: target,
            type: .sqlite)
        let copied = try contents(try open(target, latter), maker: "maker")
        #expect(before.count == 145)
        #expect(copied.count == before.count)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model("SampleModel2"))
        try coordinator.addPersistentStore(type: .sqlite, at: url, options: VersionedStore.automatic)
        try coordinator.remove(coordinator.persistentStores[0])
        #expect(try contents(try open(url, try model("SampleModel2")), maker: "maker") == copied)
    }
}
