import CoreData
import Foundation
import Testing

@Suite("Unique values across inheritance")
@MainActor
struct InheritedConstraintTests {
    /// Returns a model in which the plate is unique for vehicles, and number and name for cars. The table has
    /// the names of all vehicles, so another vehicle cannot have a car's name either.
    private static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Vehicle
              name string
              plate string
              town string
              unique plate
            Car: Vehicle
              number int32
              unique number
              unique name
            Truck: Vehicle
              number int32
            """
        ).model
    }

    nonisolated private static let policies: [NSMergePolicyType] = [
        .errorMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
        .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType, .rollbackMergePolicyType,
    ]

    /// The policies under which objects replace rows.
    nonisolated private static let winning: [NSMergePolicyType] = [
        .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
    ]

    private func stack(_ policy: NSMergePolicyType = .errorMergePolicyType) throws -> TestStack {
        let stack = try TestStack(Self.model())
        stack.context.mergePolicy = NSMergePolicy(merge: policy)
        return stack
    }

    /// Every vehicle of the file: entity, name, plate, number and town.
    private func stored(_ stack: TestStack) throws -> [String] {
        let fresh = try stack.reopened()
        return try fresh.fetch("Vehicle").map { vehicle in
            let number = vehicle.entity.name == "Vehicle" ? nil : vehicle.value(forKey: "number")
            let values = ["name", "plate", "town"].map { vehicle.value(forKey: $0) }
            return ([vehicle.entity.name] + (values + [number]).map { $0.map { "\($0)" } ?? "-" })
                .compactMap { $0 }.joined(separator: " ")
        }.sorted()
    }

    // MARK: Saves

    /// Returns the stored rows after saving a second object with a taken value, under one policy.
    private func outcome(
        of policy: NSMergePolicyType, _ first: (String, [String: Any]), _ second: (String, [String: Any]),
        _ constraint: [String]
    ) throws -> [String] {
        let stack = try stack(policy)
        stack.insert(first.0, first.1)
        try stack.context.save()
        let rival = stack.insert(second.0, second.1)
        if policy == .errorMergePolicyType {
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            #expect(error?.code == NSManagedObjectConstraintMergeError)
            let list = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
            #expect(list?.map(\.constraint) == [constraint])
            #expect(list?.first?.conflictingObjects == [rival])
            #expect(list?.first?.databaseObject?.entity.name == first.0)
            #expect(rival.isInserted)
        } else {
            try stack.context.save()
            #expect(!stack.context.hasChanges)
        }
        return try stored(stack)
    }

    @Test("A parent's constraint holds between objects of its subentities", arguments: policies)
    func parent(_ policy: NSMergePolicyType) throws {
        for second in ["Truck", "Car", "Vehicle"] {
            let rows = try outcome(
                of: policy, ("Car", ["plate": "A", "name": "one", "number": 1]),
                (second, ["plate": "A", "town": "Oslo"]), ["plate"])
            let town = ["one A Oslo 1", "one A - 1", "- A Oslo -"]
            let expected =
                switch policy {
                case .errorMergePolicyType, .rollbackMergePolicyType: town[1]
                case .overwriteMergePolicyType: second == "Vehicle" ? "- A Oslo 1" : town[2]
                default: town[0]
                }
            #expect(rows == ["Car \(expected)"], "\(second)")
        }
    }

    @Test("A subentity's constraint holds for its objects alone", arguments: policies)
    func own(_ policy: NSMergePolicyType) throws {
        let rows = try outcome(
            of: policy, ("Car", ["plate": "A", "number": 1]), ("Car", ["plate": "B", "number": 1]), ["number"]
        )
        let wins = Self.winning.contains(policy)
        #expect(rows == ["Car - \(wins ? "B" : "A") - 1"])
        let stack = try stack(policy)
        stack.insert("Car", ["plate": "A", "number": 1])
        stack.insert("Truck", ["plate": "B", "number": 1])
        stack.insert("Truck", ["plate": "C", "number": 1])
        try stack.context.save()
        #expect(try stored(stack) == ["Car - A - 1", "Truck - B - 1", "Truck - C - 1"])
    }

    @Test(
        "A subentity's constraint over an inherited attribute holds for the whole table",
        arguments: policies)
    func inherited(_ policy: NSMergePolicyType) throws {
        for second in ["Truck", "Vehicle", "Car"] {
            let rows = try outcome(
                of: policy, ("Car", ["name": "x", "number": 1]), (second, ["name": "x", "town": "Oslo"]),
                ["name"])
            try #require(rows.count == 1, "\(second): \(rows)")
            #expect(rows[0].hasPrefix("Car x"), "\(second): \(rows)")
        }
        let rows = try outcome(
            of: policy, ("Truck", ["name": "x", "number": 1]), ("Car", ["name": "x", "town": "Oslo"]),
            ["name"])
        try #require(rows.count == 1, "\(rows)")
        #expect(rows[0].hasPrefix("Truck x"), "\(rows)")
    }

    @Test("New objects of one save are compared across entities", arguments: policies)
    func together(_ policy: NSMergePolicyType) throws {
        let stack = try stack(policy)
        for entity in ["Truck", "Car", "Vehicle"] { stack.insert(entity, ["plate": "A", "name": entity]) }
        if policy == .errorMergePolicyType {
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            #expect(error?.code == NSManagedObjectConstraintMergeError)
        } else {
            try stack.context.save()
            #expect(try stored(stack).count == 1)
        }
    }

    @Test("Setting a unique value that an object of another subentity has is a conflict", arguments: policies)
    func renamed(_ policy: NSMergePolicyType) throws {
        for (key, value) in [("plate", "A"), ("name", "x")] {
            let stack = try stack(policy)
            stack.insert("Car", ["plate": "A", "name": "x"])
            let truck = stack.insert("Truck", ["plate": "B", "name": "y"])
            try stack.context.save()
            truck.setValue(value, forKey: key)
            if policy == .errorMergePolicyType {
                let error = #expect(throws: NSError.self) { try stack.context.save() }
                #expect(error?.code == NSManagedObjectConstraintMergeError)
                continue
            }
            try stack.context.save()
            let wins = Self.winning.contains(policy)
            let expected =
                wins
                ? [key == "plate" ? "Truck y A - 0" : "Truck x B - 0"] : ["Car x A - 0", "Truck y B - 0"]
            #expect(try stored(stack) == expected.map { $0.replacing("- 0", with: "- -") })
        }
    }

    @Test("Rows may exchange values that are unique in the table of another entity")
    func exchange() throws {
        let stack = try stack()
        let (car, truck) = (
            stack.insert("Car", ["name": "x", "plate": "A"]),
            stack.insert("Truck", ["name": "y", "plate": "B"])
        )
        try stack.context.save()
        car.setValuesForKeys(["name": "y", "plate": "B"])
        truck.setValuesForKeys(["name": "x", "plate": "A"])
        try stack.context.save()
        #expect(try stored(stack) == ["Car y B - -", "Truck x A - -"])
    }

    // MARK: Batches

    @Test("A batch insertion checks the constraints of the whole inheritance tree", arguments: policies)
    func batch(_ policy: NSMergePolicyType) throws {
        for key in ["plate", "name"] {
            let stack = try stack(policy)
            stack.insert("Car", [key: "A", "number": 1])
            try stack.context.save()
            let rows = [[key: "A", "town": "Oslo"], [key: "B", "town": "Rome"]]
            let request = NSBatchInsertRequest(entityName: "Truck", objects: rows)
            if policy == .errorMergePolicyType {
                #expect(throws: NSError.self) { try stack.context.execute(request) }
                #expect(try stored(stack).count == 1)
                continue
            }
            try stack.context.execute(request)
            let vehicles = try stored(stack)
            #expect(vehicles.count == 2)
            let town = policy == .rollbackMergePolicyType ? "-" : "Oslo"
            #expect(vehicles[0].hasPrefix("Car"), "\(vehicles)")
            #expect(vehicles[0].hasSuffix("\(town) 1"), "\(vehicles)")
        }
    }

    // MARK: Stores that keep no constraints

    @Test(
        "In-memory, XML and binary stores do not check constraints, like Apple's",
        arguments: [NSPersistentStore.StoreType.inMemory, .xml, .binary])
    func otherStores(_ type: NSPersistentStore.StoreType) throws {
        let stack = try TestStack(Self.model(), type: type)
        for entity in ["Car", "Car", "Truck"] {
            stack.insert(entity, ["plate": "A", "name": "x", "number": 1])
        }
        try stack.context.save()
        #expect(try stack.fetch("Vehicle", "plate == 'A'").count == 3)
    }
}
