import CSQLite
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation
import Synchronization
import Testing

@testable import CoreData

/// The memory of a migration by copy does not depend on the number of objects.
@Suite("Migration by copy of many objects")
@MainActor
struct CopyScaleTests {
    private static let former = """
        Person
          name string
          number int32
          boss -> Person.reports
          reports ->> Person.boss
        """
    private static let latter = former.replacingOccurrences(of: "number", with: "size! = 1\n  number")
        .replacingOccurrences(of: "size!", with: "size int16!")

    private func filled(_ count: Int) throws -> VersionedStore {
        let store = try VersionedStore(Self.former)
        var boss: NSManagedObject?
        for number in 0..<count {
            let person = store.insert("Person", ["name": "p\(number)", "number": number])
            person.setValue(boss, forKey: "boss")
            if number % 10 == 0 { boss = person }
        }
        try store.context.save()
        return store
    }

    /// The largest number of rows that one statement on a folder's files has returned or written.
    private final class LargestAnswer: Sendable {
        private let rows = Mutex(0)
        private let listener = Mutex<SQLLog.Listener?>(nil)
        var value: Int { rows.withLock { $0 } }

        init(in folder: String) {
            let listener = SQLLog.listen(.statements) { [self] entry in
                guard entry.path.hasPrefix(folder) else { return }
                switch entry.outcome {
                case .returned(let count), .wrote(let count): rows.withLock { $0 = max($0, count) }
                case .ran, .failed: break
                }
            }
            self.listener.withLock { $0 = listener }
        }

        func stop() { listener.withLock { $0?.stop() } }
    }

    @Test(
        "No statement reads or writes more rows than a batch, with or without a predicate",
        .ofSQLite("SQLite's statements"))
    func batches() throws {
        let store = try filled(2300)
        let model = ModelSketch(Self.latter).model
        let answers = LargestAnswer(in: store.folder.url.path)
        defer { answers.stop() }
        func mapping(_ name: String, _ predicate: String?) -> NSEntityMapping {
            MappingSketch.entity(
                name, from: "Person", to: "Person", ["name": "$source.name", "number": "$source.number"],
                links: [
                    "boss": """
                    FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", \
                    "boss", $source.boss)
                    """
                ], where: predicate)
        }
        try store.copy(
            to: model,
            MappingSketch.model(mapping("Few", "name CONTAINS '9'"), mapping("Many", "NOT name CONTAINS '9'"))
        )
        answers.stop()
        #expect(answers.value > 100 && answers.value <= MigrationRun.batchSize)
        #expect(try store.fetch("Person").count == 2300)
        #expect(try store.fetch("Person", "boss == nil").count == 1)
        #expect(try store.fetch("Person", "size == 1 AND boss.name ENDSWITH '0'").count == 2299)
        try store.copy(
            to: model,
            NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model))
        #expect(try store.fetch("Person", "reports.@count == 10").count == 229)
    }

    @Test("A source request with an order or a limit is executed as given")
    func ordered() throws {
        let store = try filled(20)
        let model = ModelSketch("Person\n  name string\n  place int16").model
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
        request.fetchLimit = 3
        let mapping = MappingSketch.entity("P", from: "Person", to: "Person", ["name": "$source.name"])
        mapping.sourceExpression = NSFetchRequestExpression.expression(
            forFetch: NSExpression(forConstantValue: request),
            context: NSExpression(format: "$manager.sourceContext"), countOnly: false)
        try store.copy(to: model, MappingSketch.model(mapping))
        #expect(
            try store.fetch("Person", by: "objectID").map { $0.value(forKey: "name") as? String }
                == ["p19", "p18", "p17"])
    }

    @Test(
        "Objects that a policy deletes are no longer instances of their mapping, saved or not")
    func deleted() throws {
        let store = try filled(1200)
        let model = ModelSketch(Self.latter).model
        let mapping = MappingSketch.model(
            MappingSketch.entity(
                "P", from: "Person", to: "Person", ["name": "$source.name", "number": "$source.number"],
                policy: DeletingPolicy.self))
        let manager = NSMigrationManager(
            sourceModel: store.coordinator.managedObjectModel, destinationModel: model)
        let notes = MigrationNotes()
        manager.userInfo = ["notes": notes]
        try store.copy(to: model, mapping, by: manager)
        #expect(notes.lines == ["made 600", "made 300"])
        #expect(try store.fetch("Person").count == 300)
    }

    @Test("A full disk for the temporary file ends the migration with an error")
    func fullDisk() throws {
        let store = try filled(1)
        let model = ModelSketch(Self.latter).model
        let path = FaultyFiles.watchNameless()
        let fault = FaultyFiles.Fault(.write, SQLITE_FULL, after: 0)
        FaultyFiles.arm(fault, at: path)
        defer { FaultyFiles.clear(path) }
        let error = #expect(throws: NSError.self) {
            try store.copy(
                to: model,
                MappingSketch.model(
                    MappingSketch.entity("P", from: "Person", to: "Person", policy: NotingManyPolicy.self)))
        }
        #expect(fault.hasFired)
        #expect(error?.code == NSMigrationError)
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause?.code == CocoaError.Code.fileWriteOutOfSpace.rawValue)
        fault.disarm()
        try store.migrate(to: Self.former, options: [:])
        #expect(try store.fetch("Person").count == 1)
    }
}

/// Deletes every second object when it is made, and every second of the others at the end.
final class DeletingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        guard sInstance.value(forKey: "number") as! Int % 2 == 1 else { return }
        for made in manager.destinationInstances(
            forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        {
            manager.destinationContext.delete(made)
        }
    }

    override func endInstanceCreation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil)
        MigrationNotes.of(manager)?.lines.append("made \(made.count)")
        for object in made where object.value(forKey: "number") as! Int % 4 == 0 {
            manager.destinationContext.delete(object)
        }
    }

    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {}

    override func endRelationshipCreation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: nil)
        MigrationNotes.of(manager)?.lines.append("made \(made.count)")
    }
}

/// Records more than fits into memory.
final class NotingManyPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        for key in 1...150_000 where manager.associations.failure == nil {
            let reference = ObjectReference(entity: 0, key: Int64(key))
            manager.associations.add(reference, reference, mapping.name)
        }
    }
}
