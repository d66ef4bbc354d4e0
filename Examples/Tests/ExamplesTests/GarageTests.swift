import CoreData
import Foundation
import Testing

@testable import Garage

@Suite("Cars and persons behind a generic store")
@MainActor
struct GarageTests {
    private let garages = Garages(at: ScratchFile.passing)

    private func context(of town: String = "Bern") throws -> NSManagedObjectContext {
        try garages.container(of: town).viewContext
    }

    /// Three persons; the first two have cars.
    private func fill(_ context: NSManagedObjectContext) throws {
        let persons = Store<Person>(context: context)
        let cars = Store<Car>(context: context)
        for (index, name) in ["Ada Lovelace", "Bertha Benz", "Ann Lovelace"].enumerated() {
            let parts = name.split(separator: " ").map(String.init)
            persons.insert {
                $0.firstName = parts[0]
                $0.lastName = parts[1]
                $0.email = "\(parts[0].lowercased())@example.org"
                $0.birthday = Date(timeIntervalSinceReferenceDate: Double(index) * -1e8)
            }
        }
        let makers = ["Benz", "Benz", "Fiat", "Volvo"]
        for (index, maker) in makers.enumerated() {
            let owner = try persons.first(
                where: NSPredicate(format: "firstName == %@", index < 3 ? "Bertha" : "Ada"))
            cars.insert {
                $0.maker = maker
                $0.plate = "BE \(index)"
                $0.year = Int16(1980 + index * 10)
                $0.price = NSDecimalNumber(string: "\(index + 1)000.50")
                $0.owner = owner
            }
        }
        Store<ElectricCar>(context: context).insert {
            $0.maker = "Benz"
            $0.plate = "BE 9"
            $0.year = 2022
            $0.range = 480
        }
        try context.save()
    }

    @Test("One store serves every entity, in the entity's own order")
    func listing() throws {
        let context = try context()
        try fill(context)
        #expect(
            try Store<Person>(context: context).fetch().map(\.fullName) == [
                "Bertha Benz", "Ada Lovelace", "Ann Lovelace",
            ])
        let cars = Store<Car>(context: context)
        #expect(try cars.fetch().map(\.plate) == ["BE 0", "BE 1", "BE 9", "BE 2", "BE 3"])
        #expect(try cars.fetch(limit: 2).map(\.plate) == ["BE 0", "BE 1"])
        let byYear = [NSSortDescriptor(keyPath: \Car.year, ascending: false)]
        #expect(try cars.fetch(sortedBy: byYear, limit: 1).first is ElectricCar)
        #expect(try cars.fetch().filter(\.isVintage).count == 1)
    }

    @Test("Predicates restrict what is fetched, counted and deleted")
    func filtering() throws {
        let context = try context()
        try fill(context)
        let cars = Store<Car>(context: context)
        let cheap = Car.cheaper(than: 3000)
        #expect(try cars.fetch(where: cheap).map(\.plate) == ["BE 0", "BE 1"])
        #expect(try cars.count(where: cheap) == 2)
        #expect(try cars.count() == 5)
        #expect(try Store<ElectricCar>(context: context).count() == 1)
        #expect(
            try Store<Person>(context: context).fetch(where: Person.owning("Benz")).map(\.fullName) == [
                "Bertha Benz"
            ])
        try cars.deleteAll(where: cheap)
        #expect(try cars.count() == 3)
        try context.save()
        #expect(try Store<Person>(context: context).first()?.cars?.count == 1)
    }

    @Test("Key paths with operators compute over relationships")
    func fortunes() throws {
        let context = try context()
        try fill(context)
        let persons = try Store<Person>(context: context).fetch()
        #expect(
            persons.map(\.fortune) == [
                NSDecimalNumber(string: "6001.5"), NSDecimalNumber(string: "4000.5"), 0,
            ])
    }

    @Test("An object in memory is found without a fetch, another is fetched or created")
    func findOrCreate() throws {
        let context = try context()
        try fill(context)
        let cars = Store<Car>(context: context)
        let unsaved = try cars.findOrCreate(matching: Car.with(plate: "ZH 1")) {
            $0.plate = "ZH 1"
            $0.maker = "Saab"
        }
        #expect(unsaved.isInserted)
        #expect(context.insertedObjects == [unsaved])
        #expect(Car.materializedObject(in: context, matching: Car.with(plate: "ZH 1")) === unsaved)
        #expect(try cars.findOrCreate(matching: Car.with(plate: "ZH 1")) { _ in } === unsaved)
        context.reset()
        #expect(Car.materializedObject(in: context, matching: Car.with(plate: "BE 2")) == nil)
        let read = try cars.findOrCreate(matching: Car.with(plate: "BE 2")) { _ in }
        #expect(!read.isInserted)
        #expect(read.maker == "Fiat")
        #expect(!context.hasChanges)
    }

    @Test("A request template of the model takes its variables and is executed")
    func templates() throws {
        let context = try context()
        try fill(context)
        let cars = try Store<Car>(context: context).fetch(
            template: "CarsOfMaker", variables: ["MAKER": "BENZ"])
        #expect(cars.map(\.plate) == ["BE 0", "BE 1", "BE 9"])
        let walkers = try Store<Person>(context: context).fetch(template: "PersonsWithoutCar")
        #expect(walkers.map(\.fullName) == ["Ann Lovelace"])
    }

    @Test("A background context's changes reach the main one; refused ones are undone")
    func backgroundChanges() async throws {
        let container = try garages.container(of: "Basel")
        let background = Store<Person>(context: container.newBackgroundContext())
        try await background.performChanges { persons in
            persons.insert {
                $0.firstName = "Max"
                $0.lastName = "Frisch"
                $0.email = "max@example.org"
            }
        }
        let persons = Store<Person>(context: container.viewContext)
        let max = try #require(try persons.first())
        #expect(max.fullName == "Max Frisch")

        let error = await #expect(throws: NSError.self) {
            try await background.performChanges { persons in
                try persons.first()?.email = "nowhere"
            }
        }
        #expect(error?.code == NSValidationStringPatternMatchingError)
        try await background.performChanges { persons in
            try persons.first()?.lastName = "Bill"
        }
        while max.lastName != "Bill" { await Task.yield() }
        #expect(max.email == "max@example.org")
    }

    @Test("Every town has a garage of its own")
    func containers() throws {
        let bern = try context(of: "Bern")
        let genf = try context(of: "Genf")
        try fill(bern)
        #expect(try Store<Car>(context: bern).count() == 5)
        #expect(try Store<Car>(context: genf).count() == 0)
        #expect(
            bern.persistentStoreCoordinator?.managedObjectModel
                === genf.persistentStoreCoordinator?.managedObjectModel)
        #expect(try garages.container(of: "Bern").viewContext === bern)
    }

    @Test("The log is a store of its own, which cars reach by a fetched property")
    func configurations() throws {
        let context = try context()
        try fill(context)
        let car = try #require(try Store<Car>(context: context).first())
        #expect(car.visits == [])
        Visit.insert(for: car, work: "Tyres", cost: 120, into: context)
        Visit.insert(for: car, work: "Oil", cost: 80, into: context)
        try context.save()
        context.refresh(car, mergeChanges: false)
        #expect(Set(car.visits?.map(\.work) ?? []) == ["Tyres", "Oil"])
        #expect(car.visits?.first?.objectID.persistentStore?.configurationName == "Log")
        #expect(car.objectID.persistentStore?.configurationName == "Registry")
    }

    @Test("A log that is thrown away is begun anew, and the registry stays", .needsFile)
    func newLog() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("Garage-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        func garages() -> Garages { Garages { directory.appendingPathComponent("\($0).sqlite") } }
        let context = try garages().container(of: "Bern").viewContext
        try fill(context)
        let car = try #require(try Store<Car>(context: context).first())
        Visit.insert(for: car, work: "Tyres", cost: 120, into: context)
        try context.save()
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(Set(files).isSuperset(of: ["Bern-Registry.sqlite", "Bern-Log.sqlite"]))
        try FileManager.default.removeItem(at: directory.appendingPathComponent("Bern-Log.sqlite"))
        try FileManager.default.removeItem(at: directory.appendingPathComponent("Bern-Log.sqlite-wal"))
        let again = try garages().container(of: "Bern").viewContext
        #expect(try Store<Visit>(context: again).count() == 0)
        #expect(try Store<Car>(context: again).count() == 5)
    }

    @Test("Two cars cannot share a licence plate, even if they are of different entities")
    func uniquePlates() throws {
        let context = try context()
        try fill(context)
        Store<ElectricCar>(context: context).insert {
            $0.maker = "Polestar"
            $0.plate = "BE 0"
        }
        let error = #expect(throws: NSError.self) { try context.saveOrRevert() }
        #expect(error?.code == NSManagedObjectConstraintMergeError)
        #expect(!context.hasChanges)
    }
}
