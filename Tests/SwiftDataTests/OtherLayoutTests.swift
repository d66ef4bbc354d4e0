#if SwiftData
import CoreData
import SwiftData
import Testing

/// Stores of the same models whose Codable values another program has laid out in its own way.
@Suite("Values in the layout of another program")
struct OtherLayoutTests {
    private let store: ScratchStore

    init() throws { store = try ScratchStore() }

    /// Makes a store of parcels with one row.
    ///
    /// - Parameter change: Gives the entity the other layout.
    private func make(
        _ change: (NSEntityDescription) throws -> Void, row: [String: Any]
    ) throws {
        let model = try NSManagedObjectModel.makeManagedObjectModel(for: Schema(Parcel.self))
        let entity = try #require(model.entitiesByName["Parcel"])
        entity.managedObjectClassName = "NSManagedObject"
        try change(entity)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "default", at: store.url,
            options: [NSPersistentHistoryTrackingKey: true])
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let parcel = NSManagedObject(entity: entity, insertInto: context)
        parcel.setValue("A 1", forKey: "number")
        for (key, value) in row { parcel.setValue(value, forKey: key) }
        try context.save()
    }

    private static var address: [String: Any] {
        [
            "town": "Bern", "code": 3000, "street": "Kramgasse", "place": ["x": 1.0, "y": 2.0],
            "kind": "small",
            "lines": Data("[]".utf8),
        ]
    }

    @Test("A struct whose composite has the same elements, but another hash, is read, changed and read again")
    func sameElements() throws {
        defer { store.remove() }
        try make(
            { $0.attributesByName["sender"]?.versionHashModifier = "of another program" },
            row: ["sender": Self.address])
        for town in ["Bern", "Basel"] {
            let context = ModelContext(try store.container(Parcel.self))
            let parcel = try #require(try context.fetch(FetchDescriptor<Parcel>()).first)
            #expect(parcel.sender.town == town && parcel.sender.code == 3000)
            #expect(parcel.sender.street == "Kramgasse" && parcel.status == .packed)
            parcel.sender.town = "Basel"
            try context.save()
        }
        let found = try ModelContext(try store.container(Parcel.self)).fetch(
            FetchDescriptor<Parcel>(predicate: #Predicate { $0.sender.town == "Basel" }))
        #expect(found.map(\.number) == ["A 1"])
    }

    @Test("An enumeration that is a composite is an error of the container, and the store stays as it is")
    func otherForm() throws {
        defer { store.remove() }
        try make(
            { entity in
                let element = NSAttributeDescription()
                (element.name, element.attributeType) = ("rawValue", .stringAttributeType)
                let composite = NSCompositeAttributeDescription()
                (composite.name, composite.elements) = ("status", [element])
                entity.properties = entity.properties.map { $0.name == "status" ? composite : $0 }
            }, row: ["status": ["rawValue": "sent"], "sender": Self.address])
        let before = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: store.url)
        let error = #expect(throws: SwiftDataError.self) { try store.container(Parcel.self) }
        #expect(error == .loadIssueModelContainer)
        #expect("\(error!)".contains("status"))
        let after = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: store.url)
        #expect(before as NSDictionary == after as NSDictionary)
    }
}
#endif
