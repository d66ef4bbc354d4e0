import CoreData
import Foundation
import Testing

@Suite("Errors of migrations")
@MainActor
struct MigrationErrorTests {
    private static let first = "Note\n  title string\n  size int16"

    /// Makes a store with two notes of one title, one of them without a size.
    private func filled(type: String = NSSQLiteStoreType) throws -> VersionedStore {
        let store = try VersionedStore(Self.first, type: type)
        store.insert("Note", ["title": "a", "size": 1])
        store.insert("Note", ["title": "a"])
        return store
    }

    private func error(
        _ store: VersionedStore, _ sketch: String, options: [AnyHashable: Any] = VersionedStore.automatic
    ) -> NSError? {
        #expect(throws: NSError.self) { try store.migrate(to: sketch, options: options) }
    }

    @Test("A store of another version is refused with its metadata and the reason")
    func otherVersion() throws {
        let error = error(try filled(), "Note\n  title string", options: [:])
        #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
        #expect(error?.userInfo["metadata"] is [String: Any])
        #expect(
            error?.userInfo["reason"] as? String
                == "The model used to open the store is incompatible with the one used to create the store")
        #expect(
            error?.localizedDescription
                == "The managed object model version used to open the persistent store is incompatible with the "
                + "one that was used to create the persistent store.")
        #expect(error?.localizedFailureReason?.contains("Note") == true)
    }

    @Test("A store whose model is not found is an error with its URL and metadata")
    func missingSource() throws {
        let store = try filled(type: NSXMLStoreType)
        let error = error(store, "Note\n  title string")
        #expect(error?.code == NSMigrationMissingSourceModelError)
        #expect(error?.userInfo["URL"] as? URL == store.url)
        #expect(error?.userInfo["metadata"] is [String: Any])
        #expect(error?.userInfo["reason"] as? String == "Can't find model for source store")
        #expect(
            error?.localizedDescription
                == "Persistent store migration failed, missing source managed object model.")
    }

    @Test(
        "The options may contain the store's model, and another model is an error",
        arguments: [
            NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType,
        ])
    func givenSource(_ type: String) throws {
        let store = try filled(type: type)
        try store.close()
        if type == NSSQLiteStoreType {
            try PlainDatabase(store.url).execute("DELETE FROM Z_MODELCACHE")
        }
        let second = "Note\n  name string was title\n  size int32"
        var options = VersionedStore.automatic
        options[PersistentStoreMigrationSourceModelKey] = ModelSketch(second).model
        let wrong = error(store, "Note\n  title string", options: options)
        #expect(wrong?.code == NSMigrationMissingSourceModelError)
        #expect(
            wrong?.localizedFailureReason?.contains(
                "the model of the options without identifier differs in Note")
                == true)
        options[PersistentStoreMigrationSourceModelKey] = ModelSketch(Self.first).model
        let plan = try NSPersistentStoreCoordinator.lightweightMigrationPlan(
            forStoreAt: store.url, type: .init(rawValue: type), options: options,
            to: ModelSketch(second).model)
        #expect(plan.objectCount == 2)
        #expect(plan.violations.isEmpty)
        try store.migrate(to: second, options: options)
        #expect(try store.fetch("Note").map { $0.value(forKey: "name") as? String } == ["a", "a"])
    }

    @Test(
        "A change that cannot be inferred is an error with both models and its cause")
    func missingMapping() throws {
        let error = error(try filled(), "Note\n  title string\n  size string")
        #expect(error?.code == NSMigrationMissingMappingModelError)
        #expect(
            error?.localizedDescription == "Persistent store migration failed, missing mapping model.")
        #expect(
            error?.userInfo["reason"] as? String
                == "Can't find or automatically infer mapping model for migration")
        for key in ["sourceModel", "destinationModel"] {
            #expect(error?.userInfo[key] is NSManagedObjectModel)
        }
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause?.code == NSInferredMappingModelError)
        #expect(cause?.userInfo["entity"] as? String == "Note")
        #expect(cause?.userInfo["property"] as? String == "size")
    }

    @Test(
        "Objects that violate a rule are an error with both URLs, entity and attribute",
        arguments: [
            ("Note\n  title string\n  size int16!", NSMigrationError, "size"),
            (
                "Note\n  title string\n  size int16\n  unique title", NSMigrationConstraintViolationError,
                "title"
            ),
        ])
    func violations(_ sketch: String, _ code: Int, _ attribute: String) throws {
        let store = try filled()
        let error = error(store, sketch)
        #expect(error?.code == NSMigrationError)
        #expect(error?.localizedDescription == "An error occurred during persistent store migration.")
        #expect(error?.userInfo["sourceURL"] as? URL == store.url)
        #expect(error?.userInfo["destinationURL"] as? URL == store.url)
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause?.code == code)
        #expect(cause?.userInfo["entity"] as? String == "Note")
        #expect(cause?.userInfo["attribute"] as? String == attribute)
        let reason = try #require(cause?.userInfo["reason"] as? String)
        #expect(error?.userInfo["reason"] as? String == "Cannot migrate store in-place: \(reason)")
    }

    @Test(
        "An unknown key or method in a mapping expression is an error that names it",
        arguments: [
            "$source.next.nothing", "$destination.nothing", "$manager.nothing", "$entityMapping.nothing",
            "$propertyMapping.nothing", "$entityPolicy.nothing", #"FUNCTION($manager, "nothing")"#,
            #"FUNCTION($source, "nothing")"#,
            #"FUNCTION($manager, "nothing:", 1)"#, "$source.title.nothing", "$source.entity.nothing",
        ])
    func unansweredExpressions(_ expression: String) throws {
        let sketch = "Note\n  title string\n  next -> Note"
        let store = try VersionedStore(sketch)
        store.insert("Note", ["title": "a", "next": store.insert("Note", ["title": "b"])])
        let mapping = MappingSketch.entity("Note", from: "Note", to: "Note", ["title": expression])
        let error = #expect(throws: NSError.self) {
            try store.copy(to: ModelSketch(sketch).model, MappingSketch.model(mapping))
        }
        #expect(error?.code == NSMigrationError)
        #expect(error?.userInfo["attribute"] as? String == "title")
        #expect(error?.localizedFailureReason?.contains("'nothing") == true)
    }
}
