#if SwiftData
import CoreData
import SwiftData
import Testing

@Model
private final class Pass {
    var number: String
    var owner: PassHolder
    init(number: String, owner: PassHolder) {
        self.number = number
        self.owner = owner
    }
}

@Model
private final class PassHolder {
    var name: String
    var birth: Date
    var state: Status
    var passes: [Pass] = []
    init(_ name: String) {
        self.name = name
        birth = .now
        state = .sent
    }
}

/// No value that a store lacks ends the program.
@Suite("Values that are not there")
struct MissingValueTests {
    @Test("A model whose row is gone reads as empty, whatever the types of its properties")
    func goneRow() throws {
        let context = ModelContext(try memoryContainer(Everything.self, Parcel.self))
        let (all, parcel) = (Everything(), Parcel("1", sender: Address(town: "Bern")))
        all.uuid = UUID()
        context.insert(all)
        context.insert(parcel)
        try context.save()
        let ids = [all.persistentModelID, parcel.persistentModelID]
        let other = ModelContext(context.container)
        try other.delete(model: Everything.self)
        try other.delete(model: Parcel.self)
        let later = ModelContext(context.container)
        let gone = try #require(later.model(for: ids[0]) as? Everything)
        #expect(gone.uuid == UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        #expect(gone.date == Date(timeIntervalSinceReferenceDate: 0))
        #expect(gone.decimal == 0 && gone.string == "")
        #expect(gone.url.absoluteString == "about:blank" && gone.data == Data() && gone.maybeURL == nil)
        let sent = try #require(later.model(for: ids[1]) as? Parcel)
        #expect(sent.sender == Address(town: "", street: "") && sent.recipient == nil)
        #expect(sent.status == .packed && sent.notes == [])
    }

    @Test("A mandatory column without a value reads as empty, and the row keeps what it has")
    func nullColumns() throws {
        let context = ModelContext(try memoryContainer(Pass.self))
        context.insert(PassHolder("Ada"))
        try context.save()
        let raw = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        raw.persistentStoreCoordinator = context.container.persistentStoreCoordinator
        let row = try #require(try raw.fetch(NSFetchRequest<NSManagedObject>(entityName: "PassHolder")).first)
        raw.validatesSaves = false
        for key in ["birth", "state", "name"] { row.setValue(nil, forKey: key) }
        try raw.save()
        let holders = try ModelContext(context.container).fetch(FetchDescriptor<PassHolder>())
        let holder = try #require(holders.first)
        #expect(holder.birth == Date(timeIntervalSinceReferenceDate: 0))
        #expect(holder.state == .packed && holder.name == "" && !holder.hasChanges)
    }

    @Test("A mandatory relationship whose destination was deleted reads as an empty, deleted model")
    func missingDestination() throws {
        let context = ModelContext(try memoryContainer(Pass.self))
        let ticket = Pass(number: "7", owner: PassHolder("Ada"))
        context.insert(ticket)
        try context.save()
        context.delete(ticket.owner)
        try context.save()
        let other = ModelContext(context.container)
        let found = try #require(try other.fetch(FetchDescriptor<Pass>()).first)
        #expect(found.owner.isDeleted && found.owner.name == "" && found.owner.modelContext == nil)
        found.owner = PassHolder("Bob")
        try other.save()
        #expect(found.owner.name == "Bob" && !found.owner.isDeleted)
    }
}

extension Address {
    fileprivate init(town: String, street: String = "Main") {
        self.init(town: town, code: nil)
        self.street = street
    }
}
#endif
