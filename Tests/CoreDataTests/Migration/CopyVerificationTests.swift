import CoreDataModelFormat
import Foundation
import Testing

@testable import CoreData

@Suite("Verification of migrations by copy")
@MainActor
struct CopyVerificationTests {
    private static let former = """
        Person
          name string
          photo external
          home -> House.people
          garden -> House
        House
          name string
          people ->> Person.home
          gardeners ->> Person
        """
    /// A change beyond SQL's means: two relationships become each other's inverse.
    private static let latter =
        former.replacingOccurrences(of: "garden -> House", with: "garden -> House.gardeners")
        .replacingOccurrences(of: "gardeners ->> Person", with: "gardeners ->> Person.garden")
    nonisolated private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

    private func filled(_ type: String) throws -> VersionedStore {
        let store = try VersionedStore(Self.former, type: type)
        let house = store.insert("House", ["name": "h"])
        for name in ["a", "b"] {
            store.insert("Person", ["name": name, "home": house, "garden": house, "photo": Data([1])])
        }
        try store.close()
        return store
    }

    /// Returns the error of a verified copy by the inferred mapping, with a policy for people.
    private func failure(
        _ store: VersionedStore, _ policy: NSEntityMigrationPolicy.Type, isInferred: Bool = true
    ) throws -> NSError? {
        let (former, latter) = (ModelSketch(Self.former).model, ModelSketch(Self.latter).model)
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: former, destinationModel: latter)
        for entity in mapping.entityMappings where entity.destinationEntityName == "Person" {
            entity.entityMigrationPolicyClassName = String(reflecting: policy)
        }
        let open = try StoreTypes.storeClass(store.type).init(
            _adding: NSPersistentStoreCoordinator(managedObjectModel: latter), configurationName: nil,
            at: store.url, options: VersionedStore.verified)
        open.addedType = store.type
        let metadata = try type(of: open).metadataForPersistentStore(with: store.url)
        let evolution = try isInferred ? ModelEvolution(fromModel: former, toModel: latter) : nil
        do {
            try CopyingMigration(open, at: store.url, metadata).run(
                mapping, from: former, to: latter, nil, inferredFrom: evolution)
        } catch {
            return error as NSError
        }
        return nil
    }

    private func requireWhole(_ store: VersionedStore) throws {
        try store.migrate(to: Self.former, options: [:])
        #expect(try store.value("home.name", of: "Person").compactMap { $0 as? String } == ["h", "h"])
        let files = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
        #expect(!files.contains { $0.hasPrefix(".\(store.url.lastPathComponent).") })
    }

    @Test("A complete copy passes", arguments: types)
    func whole(_ type: String) throws {
        let store = try filled(type)
        #expect(try failure(store, NSEntityMigrationPolicy.self) == nil)
        try store.migrate(to: Self.latter, options: [:])
        #expect(try store.value("home.name", of: "Person").compactMap { $0 as? String } == ["h", "h"])
    }

    @Test("Objects missing in an inferred copy are counted, and the store stays", arguments: types)
    func objects(_ type: String) throws {
        let store = try filled(type)
        let error = try failure(store, LosingPolicy.self)
        #expect(error?.code == NSMigrationError)
        #expect(error?.userInfo["entity"] as? String == "Person")
        #expect(error?.userInfo["property"] == nil)
        #expect(error?.userInfo["countBefore"] as? Int == 2)
        #expect(error?.userInfo["countAfter"] as? Int == 1)
        try requireWhole(store)
    }

    @Test("Pairs missing in an inferred copy are counted, and the store stays", arguments: types)
    func pairs(_ type: String) throws {
        let store = try filled(type)
        let error = try failure(store, SeparatingPolicy.self)
        #expect(error?.code == NSMigrationError)
        #expect(["home", "people"].contains(error?.userInfo["property"] as? String))
        #expect(error?.userInfo["countBefore"] as? Int == 2)
        #expect(error?.userInfo["countAfter"] as? Int == 0)
        try requireWhole(store)
    }

    @Test("A custom mapping may omit objects, but the objects that it created must exist")
    func byHand() throws {
        let store = try filled(NSSQLiteStoreType)
        let error = try failure(store, UnderminingPolicy.self, isInferred: false)
        #expect(error?.code == NSMigrationError)
        #expect(error?.userInfo["entity"] as? String == "Person")
        #expect(error?.userInfo["countBefore"] as? Int == 2)
        #expect(error?.userInfo["countAfter"] as? Int == 1)
        try requireWhole(store)
        try store.close()
        #expect(try failure(store, LosingPolicy.self, isInferred: false) == nil)
    }

    @Test("A migration by copy is verified if the coordinator's options ask for it")
    func coordinator() throws {
        let store = try filled(NSSQLiteStoreType)
        try store.migrate(to: Self.latter, options: VersionedStore.verified)
        #expect(try store.fetch("Person", "home.name == 'h' AND photo != nil").count == 2)
        // The house had no gardeners: there may be more than before, where one side takes over the other
        // side's members.
        #expect(try store.value("gardeners.@count", of: "House").map { "\($0 ?? "")" } == ["2"])
    }
}

/// Omits an object.
final class LosingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        if sInstance.value(forKey: "name") as? String == "a" { return }
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }
}

/// Clears people's homes.
final class SeparatingPolicy: NSEntityMigrationPolicy {
    override func performCustomValidation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        for person in manager.destinationInstances(
            forEntityMappingName: mapping.name, sourceInstances: nil)
        {
            person.setValue(nil, forKey: "home")
        }
    }
}

/// Deletes a row with plain SQL.
final class UnderminingPolicy: NSEntityMigrationPolicy {
    override func performCustomValidation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let store = manager.destinationContext.persistentStoreCoordinator!.persistentStores[0]
        try PlainDatabase(store.url!).execute("DELETE FROM ZPERSON WHERE ZNAME = 'a'")
    }
}
