#if SwiftData
import CoreData
import SwiftData
import Testing

@Suite("Subclasses of models")
struct InheritanceTests {
    private static let types: [any PersistentModel.Type] = [
        Vehicle.self, Truck.self, Crane.self, Bicycle.self, Trailer.self, Garage.self,
    ]
    private let context: ModelContext

    init() throws {
        let schema = Schema(Self.types)
        context = ModelContext(
            try ModelContainer(for: schema, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        context.insert(Vehicle("car"))
        let truck = Truck("truck", load: 12)
        truck.trailer = Trailer(7)
        truck.garage = Garage("Bern")
        context.insert(truck)
        context.insert(Crane("crane", height: 30))
        context.insert(Bicycle())
        try context.save()
    }

    private func names<Model: Vehicle>(_ predicate: Predicate<Model>?) throws -> [String] {
        try ModelContext(context.container).fetch(FetchDescriptor<Model>(predicate: predicate)).map(\.name)
            .sorted()
    }

    @Test("A subclass has the properties of all its classes before it is inserted, and after")
    func properties() throws {
        let crane = Crane("new", height: 20)
        #expect(crane.name == "new" && crane.wheels == 4 && crane.load == 100 && crane.height == 20)
        crane.wheels = 8
        crane.load = 90
        crane.axles = [9]
        crane.garage = Garage("Chur")
        crane.trailer = Trailer(3)
        context.insert(crane)
        #expect(crane.name == "new" && crane.wheels == 8 && crane.load == 90 && crane.height == 20)
        #expect(crane.axles == [9] && crane.garage?.town == "Chur" && crane.trailer?.length == 3)
        #expect(crane.garage?.vehicles.first === crane && crane.trailer?.truck === crane)
        #expect(crane.hasChanges && crane.modelContext == context)
    }

    @Test("A fetch of a class returns objects of its subclasses, with their values")
    func fetches() throws {
        #expect(try names(nil as Predicate<Vehicle>?) == ["bicycle", "car", "crane", "truck"])
        #expect(try names(nil as Predicate<Truck>?) == ["crane", "truck"])
        #expect(try names(nil as Predicate<Crane>?) == ["crane"])
        let found = try ModelContext(context.container).fetch(
            FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.name)]))
        #expect(found.map(\.title) == ["bicycle", "car", "crane 100", "truck 12"])
        #expect((found[2] as? Crane)?.height == 30 && (found[2] as? Crane)?.state == .packed)
        #expect((found[3] as? Truck)?.trailer?.length == 7 && found[0].wheels == 2)
        #expect(!(found[1] is Truck))
    }

    @Test("A relationship to a class leads to objects of its subclasses")
    func relationships() throws {
        let garages = try ModelContext(context.container).fetch(FetchDescriptor<Garage>())
        #expect((garages.first?.vehicles.first as? Truck)?.load == 12)
    }

    @Test("Predicates test and cast classes, and ask for properties of subclasses")
    func casts() throws {
        #expect(try names(#Predicate<Vehicle> { $0 is Truck }) == ["crane", "truck"])
        #expect(try names(#Predicate<Vehicle> { !($0 is Truck) }) == ["bicycle", "car"])
        #expect(try names(#Predicate<Vehicle> { ($0 as? Truck)?.load == 12 }) == ["truck"])
        #expect(
            try names(#Predicate<Vehicle> { $0.name != "x" && ($0 as? Crane)?.height == 30 }) == ["crane"])
    }

    @Test("Inherited properties are asked for through a subclass")
    func inheritedKeyPaths() throws {
        #expect(
            try names(#Predicate<Crane> { $0.name == "crane" && $0.load > 50 && $0.wheels == 4 }) == ["crane"]
        )
        #expect(try names(#Predicate<Truck> { $0.garage?.town == "Bern" }) == ["truck"])
        let packed = Status.packed
        #expect(try names(#Predicate<Crane> { $0.state == packed }) == ["crane"])
        let sorted = FetchDescriptor<Truck>(sortBy: [SortDescriptor(\.name, order: .reverse)])
        #expect(try context.fetch(sorted).map(\.name) == ["truck", "crane"])
    }

    @Test("Classes become entities with superentities, in which a store keeps them in one table")
    func schema() throws {
        let schema = Schema([Crane.self])
        #expect(schema.entities.map(\.name).contains("Vehicle"))
        let crane = try #require(schema.entity(for: Crane.self))
        #expect(crane.superentity?.name == "Truck" && crane.superentity?.subentities.map(\.name) == ["Crane"])
        #expect(crane.properties.map(\.name) == ["height", "state"])
        #expect(crane.inheritedProperties.map(\.name).contains("wheels"))
        let model = try NSManagedObjectModel.makeManagedObjectModel(for: schema)
        #expect(model.entitiesByName["Crane"]?.superentity?.superentity?.name == "Vehicle")
    }

    @Test("A subclass whose class is no model of the schema is an error that names both")
    func missingSuperentity() {
        let schema = Schema(Schema.Entity("Truck", properties: [], superentityName: "Vehicle"))
        let error = #expect(throws: SwiftDataError.self) {
            try NSManagedObjectModel.makeManagedObjectModel(for: schema)
        }
        #expect(error.map { "\($0)" }?.contains("Truck is a subclass of Vehicle") == true)
    }

    @Test("Changes of inherited properties are saved and taken back, deletions keep the last values")
    func changes() throws {
        let crane = try #require(try context.fetch(FetchDescriptor<Crane>()).first)
        crane.wheels = 6
        crane.opened = 3
        crane.height = 31
        context.rollback()
        #expect(crane.wheels == 4 && crane.height == 30)
        crane.wheels = 6
        try context.save()
        #expect(try names(#Predicate<Vehicle> { $0.wheels == 6 }) == ["crane"])
        let registered: Vehicle? = context.registeredModel(for: crane.persistentModelID)
        #expect(registered === crane)
        context.delete(crane)
        try context.save()
        #expect(crane.name == "crane" && crane.height == 30 && crane.modelContext == nil)
        #expect(try names(nil as Predicate<Truck>?) == ["truck"])
    }
}
#endif
