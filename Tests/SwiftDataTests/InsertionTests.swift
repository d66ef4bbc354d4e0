#if SwiftData
import CoreData
import SwiftData
import Testing

/// Classes that no other test inserts meanwhile.
@Model
private final class Kite {
    var name: String
    var flyer: Flyer?
    @Relationship(inverse: \Tail.kite) var tails: [Tail] = []

    init(_ name: String, flyer: Flyer? = nil) {
        self.name = name
        self.flyer = flyer
    }
}

@Model
private final class Flyer {
    var name: String

    init(_ name: String) { self.name = name }
}

@Model
private final class Tail {
    var length: Int
    var kite: Kite?

    init(_ length: Int) { self.length = length }
}

@Suite("Insertions")
struct InsertionTests {
    private func full(_ number: Int) -> Everything {
        let model = Everything()
        (model.int, model.uint8, model.string) = (number, 200, "a text that is too long to lie inline")
        (model.data, model.maybeDate, model.decimal) = (Data(count: 99), .distantPast, 1.25)
        return model
    }

    private func isFull(_ model: Everything, _ number: Int) -> Bool {
        model.int == number && model.uint8 == 200 && model.string.utf8.count == 37
            && model.data.count == 99 && model.maybeDate == .distantPast && model.decimal == 1.25
            && model.maybeInt == nil
    }

    @Test("A context takes the object of a model whose class it has inserted before, and makes no other")
    func takingObjects() throws {
        let container = try memoryContainer(Kite.self)
        let context = ModelContext(container)
        context.insert(Kite("A"))
        let kite = Kite("B", flyer: Flyer("Ada"))
        kite.tails = [Tail(2)]
        let (begun, flyer) = (kite._$backing, kite.flyer?.persistentModelID)
        #expect(kite.modelContext == nil && !kite.hasChanges && kite.managedObject == nil)
        context.insert(kite)
        #expect(begun != nil && kite.managedObject === begun)
        #expect(kite.modelContext == context && kite.hasChanges && kite.flyer?.modelContext == context)
        #expect(kite.flyer?.persistentModelID != flyer && kite.tails.first?.kite === kite)
        try context.save()
        let found = try ModelContext(container).fetch(FetchDescriptor<Kite>(sortBy: [SortDescriptor(\.name)]))
        #expect(found.map(\.name) == ["A", "B"])
        #expect(found[1].flyer?.name == "Ada" && found[1].tails.map(\.length) == [2])
    }

    @Test("Values reach the store, whichever container the class was inserted into before")
    func severalContainers() throws {
        let containers = [
            try memoryContainer(Everything.self), try memoryContainer(Everything.self, Trip.self),
        ]
        let contexts = containers.map { ModelContext($0) }
        let models = (0..<9).map { number in
            let model = full(number)
            if number % 4 != 0 { contexts[number % 2].insert(full(100 + number)) }
            return model
        }
        for (number, model) in models.enumerated() { contexts[number % 2].insert(model) }
        for context in contexts { try context.save() }
        for (index, container) in containers.enumerated() {
            let found = try ModelContext(container).fetch(
                FetchDescriptor<Everything>(
                    predicate: #Predicate { $0.int < 100 }, sortBy: [SortDescriptor(\.int)]))
            #expect(found.map(\.int) == (0..<9).filter { $0 % 2 == index })
            #expect(found.allSatisfy { isFull($0, $0.int) })
        }
    }

    @Test("A model outlives the container that its class was inserted into, and is inserted into another")
    func lostContainer() throws {
        var container: ModelContainer? = try memoryContainer(Everything.self)
        ModelContext(try #require(container)).insert(full(1))
        weak let lost = container
        let model = full(2)
        container = nil
        #expect(lost == nil && isFull(model, 2))
        model.int = 3
        let later = full(4)
        let other = try memoryContainer(Everything.self)
        let context = ModelContext(other)
        context.insert(model)
        context.insert(later)
        try context.save()
        let found = try ModelContext(other).fetch(
            FetchDescriptor<Everything>(sortBy: [SortDescriptor(\.int)]))
        #expect(found.count == 2 && isFull(found[0], 3) && isFull(found[1], 4))
    }

    @Test("Members come in the order of their insertion, not of their making")
    func order() throws {
        let container = try memoryContainer(Trip.self)
        let context = ModelContext(container)
        context.insert(Stay("Aarau", nights: 1))
        let trip = Trip(code: "A", name: "Alps")
        let stays = ["Bern", "Chur", "Davos"].map { Stay($0, nights: 1) }
        context.insert(trip)
        for stay in stays.reversed() { context.insert(stay) }
        trip.stays = stays
        #expect(trip.stays.map(\.town) == ["Davos", "Chur", "Bern"])
        try context.save()
        #expect(trip.stays.map(\.town) == ["Davos", "Chur", "Bern"])
    }

    @Test("An insertion that is taken back leaves the model its values, and it is inserted again")
    func insertedAgain() throws {
        let container = try memoryContainer(Trip.self)
        let context = ModelContext(container)
        context.insert(Trip(code: "A", name: "Alps"))
        let trip = Trip(code: "B", name: "Balkan")
        context.insert(trip)
        context.delete(trip)
        context.processPendingChanges()
        #expect(trip.modelContext == nil)
        context.insert(trip)
        try context.save()
        context.delete(trip)
        try context.save()
        #expect(trip.isDeleted && trip.name == "Balkan" && trip.modelContext == nil)
        context.insert(trip)
        #expect(!trip.isDeleted && trip.modelContext == context)
        try context.save()
        let found = try ModelContext(container).fetch(FetchDescriptor<Trip>())
        #expect(found.map(\.name).sorted() == ["Alps", "Balkan"])
    }

    @Test("Subclasses, and classes with subclasses, are inserted with the properties of all their classes")
    func hierarchies() throws {
        let container = try memoryContainer(Vehicle.self, Truck.self, Crane.self, Bicycle.self)
        let context = ModelContext(container)
        for round in 0..<3 {
            context.insert(Vehicle("car \(round)"))
            context.insert(Truck("truck \(round)", load: round))
            context.insert(Crane("crane \(round)", height: Double(round)))
        }
        try context.save()
        let found = try ModelContext(container).fetch(
            FetchDescriptor<Vehicle>(sortBy: [SortDescriptor(\.name)]))
        #expect(found.count == 9)
        #expect(
            found.compactMap { $0 as? Crane }.map { "\($0.title) \($0.height)" }
                == (0..<3).map { "crane \($0) 100 \(Double($0))" })
        #expect(
            found.compactMap { $0 as? Truck }.filter { !($0 is Crane) }.map { "\($0.title) \($0.axles)" }
                == (0..<3).map { "truck \($0) \($0) [2, 3]" })
        #expect(found.filter { !($0 is Truck) }.map(\.name) == (0..<3).map { "car \($0)" })
    }
}
#endif
