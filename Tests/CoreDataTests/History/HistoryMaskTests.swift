import CoreData
import Foundation
import Testing

@Suite("Column masks of recorded history")
@MainActor
struct HistoryMaskTests {
    private let stack: TestStack
    private let database: any PlainTables
    private static let bits: Comment = "Masks of bits"

    init() throws {
        stack = try TestStack(
            Self.model(), options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        database = try stack.tables()
    }

    /// The bits of an owner are favourite, the entity of the favourite, name, cars; those of a car are owner,
    /// the position in it, plate, fans.
    private static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Owner
              name string
              cars ->>> Car.owner
              favourite -> Car.fans
            Car
              plate string
              owner -> Owner.cars
              fans ->> Owner.favourite
            SportCar: Car
            """
        ).model
    }

    /// Returns the masks of the last transaction, by object.
    private func masks() throws -> [String: String] {
        let rows = try database.rows(
            """
            SELECT p.Z_NAME || c.ZENTITYPK, c.ZCOLUMNS FROM ACHANGE c JOIN Z_PRIMARYKEY p \
            ON p.Z_ENT = c.ZENTITY WHERE c.ZCOLUMNS IS NOT NULL \
            AND c.ZTRANSACTIONID = (SELECT MAX(Z_PK) FROM ATRANSACTION)
            """)
        return Dictionary(
            uniqueKeysWithValues: rows.compactMap { row in
                if case .text(let object) = row[0], case .blob(let mask) = row[1] {
                    (object, mask.map { String(format: "%02X", $0) }.joined())
                } else {
                    nil
                }
            })
    }

    private func saved() throws -> [String: String] {
        try stack.context.save()
        return try masks()
    }

    @Test("Changing the entity of a relationship's destination sets a separate bit", .ofSQLite(Self.bits))
    func entities() throws {
        let owner = stack.insert("Owner")
        let cars = [stack.insert("Car"), stack.insert("Car")]
        let sportCar = stack.insert("SportCar")
        try stack.context.save()
        owner.setValue(cars[0], forKey: "favourite")
        #expect(try saved() == ["Owner1": "C0", "Car1": "10"])
        owner.setValue(cars[1], forKey: "favourite")
        #expect(try saved() == ["Owner1": "80", "Car1": "10", "Car2": "10"])
        owner.setValue(sportCar, forKey: "favourite")
        #expect(try saved() == ["Owner1": "C0", "Car2": "10", "SportCar3": "10"])
        owner.setValue(nil, forKey: "favourite")
        #expect(try saved() == ["Owner1": "C0", "SportCar3": "10"])
        owner.setValue("Ada", forKey: "name")
        #expect(try saved() == ["Owner1": "20"])
    }

    @Test("A change of position sets a separate bit, alone or with the owner's bit", .ofSQLite(Self.bits))
    func positions() throws {
        let owner = stack.insert("Owner")
        let cars = (0..<3).map { _ in stack.insert("Car") }
        try stack.context.save()
        owner.setValue(NSOrderedSet(array: cars), forKey: "cars")
        #expect(try saved() == ["Owner1": "10", "Car1": "C0", "Car2": "C0", "Car3": "C0"])
        let proxy = owner.mutableOrderedSetValue(forKey: "cars")
        proxy.moveObjects(at: [2], to: 0)
        #expect(try saved() == ["Owner1": "10", "Car3": "40"])
        cars[0].setValue("A 1", forKey: "plate")
        proxy.moveObjects(at: [1], to: 2)
        let moved = try saved()
        #expect(moved.keys.sorted() == ["Car1", "Owner1"] || moved["Car2"] == "40")
        #expect(moved["Car1"] == (moved["Car2"] == nil ? "60" : "20"))
        cars[1].setValue(nil, forKey: "owner")
        #expect(try saved() == ["Owner1": "10", "Car2": "C0"])
        // A moved member does not change in any property.
        let changes = try history().flatMap { $0.changes ?? [] }.filter { $0.changeType == .update }
        let third = changes.filter { $0.changedObjectID == cars[2].objectID }
        #expect(third.map { $0.updatedProperties?.map(\.name) } == [["owner"], []])
    }

    @Test("Inserting an object has no mask, but sets the inverse relationships' bits", .ofSQLite(Self.bits))
    func insertion() throws {
        let owner = stack.insert("Owner")
        try stack.context.save()
        let car = stack.insert("Car", ["owner": owner])
        car.setValue(NSSet(object: owner), forKey: "fans")
        #expect(try saved() == ["Owner1": "D0"])
    }

    @Test("A batch sets the bits of all columns that it writes", .ofSQLite(Self.bits))
    func batches() throws {
        let owner = stack.insert("Owner", ["favourite": stack.insert("Car")])
        let cars = (0..<2).map { _ in stack.insert("Car", ["owner": owner]) }
        try stack.context.save()
        let update = NSBatchUpdateRequest(entityName: "Car")
        update.predicate = NSPredicate(format: "owner != nil")
        update.propertiesToUpdate = ["plate": "B", "owner": NSExpression(forConstantValue: nil)]
        try stack.context.execute(update)
        let keys = cars.map { "Car\($0.objectID.uriRepresentation().lastPathComponent.dropFirst())" }
        #expect(try masks() == Dictionary(uniqueKeysWithValues: keys.map { ($0, "E0") }))
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Car")
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        #expect(try masks() == ["Owner1": "C0"])
    }

    // MARK: Former releases

    private func history(_ context: NSManagedObjectContext? = nil) throws -> [NSPersistentHistoryTransaction]
    {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        let result = try (context ?? stack.context).execute(request) as? NSPersistentHistoryResult
        return try #require(result?.result as? [NSPersistentHistoryTransaction])
    }

    /// Returns the properties that the updates of each transaction have written.
    private func written(_ context: NSManagedObjectContext? = nil) throws -> [Set<String>] {
        try history(context).map { transaction in
            Set(
                (transaction.changes ?? []).flatMap { change in
                    (change.updatedProperties ?? []).map {
                        "\(change.changedObjectID.entity.name!).\($0.name)"
                    }
                })
        }
    }

    /// Writes three updates, the first as an earlier release: by name and without a bundle identifier.
    private func writeHistory() throws -> [Set<String>] {
        let owner = stack.insert("Owner")
        let car = stack.insert("Car")
        try stack.context.save()
        car.setValue("A 1", forKey: "plate")
        car.setValue(owner, forKey: "owner")
        try stack.context.save()
        let names = ["Owner": ["cars", "favourite", "name"], "Car": ["fans", "owner", "plate"]]
        for (entity, sets) in [("Owner", ["cars"]), ("Car", ["owner", "plate"])] {
            let bits = sets.map { 0x80 >> names[entity]!.firstIndex(of: $0)! }.reduce(0, |)
            try database.execute(
                """
                UPDATE ACHANGE SET ZCOLUMNS = x'\(String(format: "%02x", bits))' WHERE ZCOLUMNS NOT NULL \
                AND ZENTITY = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)')
                """)
        }
        try database.execute("UPDATE ATRANSACTION SET ZBUNDLEIDTS = NULL")
        owner.setValue("Ada", forKey: "name")
        owner.setValue(car, forKey: "favourite")
        try stack.context.save()
        // A transaction as Apple's framework writes it for an app.
        try database.execute(
            """
            INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) SELECT Z_MAX + 1, 16003, 'com.example.app' \
            FROM Z_PRIMARYKEY WHERE Z_ENT = 16003;
            UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT BETWEEN 16001 AND 16003;
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZBUNDLEIDTS, ZTIMESTAMP) SELECT t.Z_MAX, 16002, s.Z_MAX, 1e9 \
            FROM Z_PRIMARYKEY t, Z_PRIMARYKEY s WHERE t.Z_ENT = 16002 AND s.Z_ENT = 16003;
            INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) \
            SELECT c.Z_MAX, 16001, 1, e.Z_ENT, 1, t.Z_MAX, x'30' \
            FROM Z_PRIMARYKEY c, Z_PRIMARYKEY t, Z_PRIMARYKEY e \
            WHERE c.Z_ENT = 16001 AND t.Z_ENT = 16002 AND e.Z_NAME = 'Car';
            """)
        return [
            [], ["Owner.cars", "Car.owner", "Car.plate"], ["Owner.name", "Owner.favourite", "Car.fans"],
            ["Car.plate", "Car.fans"],
        ]
    }

    @Test(
        "Transactions of older releases, this release and Apple's are read in one store",
        .ofSQLite("Stores of older releases"))
    func mixed() throws {
        let expected = try writeHistory()
        #expect(try written() == expected)
        let readOnly = try TestStack(
            stack.coordinator.managedObjectModel, in: stack.folder,
            options: [NSReadOnlyPersistentStoreOption: true as NSNumber])
        #expect(try written(readOnly.context) == expected)
    }

    @Test(
        "After a migration all masks have one format and name the renamed properties",
        .ofSQLite("Stores of older releases"))
    func migration() throws {
        let expected = try writeHistory()
        try stack.coordinator.remove(stack.coordinator.persistentStores[0])
        let model = Self.model()
        let owner = try #require(model.entitiesByName["Owner"])
        owner.properties += ["aaa", "zzz"].map { ModelFixtures.attribute($0, .stringAttributeType) }
        owner.attributesByName["name"]?.renamingIdentifier = "name"
        owner.attributesByName["name"]?.name = "surname"
        let migrated = try TestStack(
            model, in: stack.folder,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
                NSInferMappingModelAutomaticallyOption: true as NSNumber,
            ])
        let renamed = expected.map { Set($0.map { $0 == "Owner.name" ? "Owner.surname" : $0 }) }
        #expect(try written(migrated.context) == renamed)
        #expect(try database.integer("SELECT COUNT(*) FROM ATRANSACTION WHERE ZBUNDLEIDTS IS NULL") == 0)
        #expect(try history(migrated.context).map(\.bundleID) == ["", "", "", "com.example.app"])
        // The next save finds the names and numbers it needs.
        try migrated.context.fetch("Owner", nil, [], sortedBy: nil)[0].setValue("b", forKey: "zzz")
        try migrated.context.save()
        #expect(try written(migrated.context).last == ["Owner.zzz"])
    }
}
