#if SwiftData
import SwiftData
import Testing

@Suite("History")
struct HistoryTests {
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        container = try memoryContainer(Trip.self, Ticket.self)
        context = ModelContext(container)
    }

    /// Saves three transactions, of two authors: an insertion of two models, an update, and a deletion.
    private func saveThree() throws -> (trip: Trip, ticket: Ticket) {
        context.author = "app"
        let (trip, ticket) = (Trip(code: "A", name: "Alps"), Ticket(7, "window"))
        context.insert(trip)
        context.insert(ticket)
        try context.save()
        context.author = "widget"
        (trip.name, trip.seats) = ("Andes", 9)
        try context.save()
        context.delete(ticket)
        try context.save()
        return (trip, ticket)
    }

    private typealias Transaction = DefaultHistoryTransaction

    private func history(_ predicate: Predicate<Transaction>? = nil) throws -> [Transaction] {
        try context.fetchHistory(HistoryDescriptor<Transaction>(predicate: predicate))
    }

    @Test("An update of a subclass names inherited properties")
    func inherited() throws {
        let context = ModelContext(try memoryContainer(Truck.self))
        let truck = Truck("truck", load: 5)
        context.insert(truck)
        try context.save()
        (truck.wheels, truck.load) = (6, 7)
        try context.save()
        let all = try context.fetchHistory(HistoryDescriptor<Transaction>())
        guard case .update(let update as DefaultHistoryUpdate<Truck>) = try #require(all.last?.changes.first)
        else {
            Issue.record("\(all)")
            return
        }
        #expect(update.updatedPropertyNames == ["wheels", "load"])
        #expect(update.updatedAttributes.map { $0 as AnyKeyPath } == [\Truck.load])
        #expect(update.hasUpdated(\.wheels) && update.hasUpdated(\.load))
        #expect(!update.hasUpdated(\.name) && !update.hasUpdated(\.axles))
    }

    @Test("Transactions have their author and the changes of models by class")
    func changes() throws {
        let (trip, ticket) = try saveThree()
        let all = try history()
        #expect(all.map(\.author) == ["app", "widget", "widget"])
        #expect(all.map(\.transactionIdentifier) == [1, 2, 3] && all[0].timestamp <= all[2].timestamp)
        #expect(Set(all.map(\.storeIdentifier)) == [trip.persistentModelID.storeIdentifier])
        #expect(
            Set(all[0].changes.map(\.changedPersistentIdentifier))
                == [trip.persistentModelID, ticket.persistentModelID])
        var inserted: [String] = []
        for change in all[0].changes {
            switch change {
            case .insert(_ as DefaultHistoryInsert<Trip>): inserted.append("trip")
            case .insert(_ as DefaultHistoryInsert<Ticket>): inserted.append("ticket")
            default: inserted.append("other")
            }
        }
        #expect(inserted.sorted() == ["ticket", "trip"])
        guard case .update(let update as DefaultHistoryUpdate<Trip>) = try #require(all[1].changes.first)
        else {
            Issue.record("\(all[1].changes)")
            return
        }
        let written: [AnyKeyPath] = [\Trip.name, \Trip.seats]
        #expect(update.updatedAttributes.map { $0 as AnyKeyPath } == written)
        #expect(update.changedPersistentIdentifier == trip.persistentModelID)
        #expect(update.transactionIdentifier == 2)
    }

    @Test("A deletion has the values of attributes that ask for it, and no others")
    func tombstones() throws {
        let (_, ticket) = try saveThree()
        let deletion = try #require(try history().last?.changes.first)
        guard case .delete(let deleted as DefaultHistoryDelete<Ticket>) = deletion else {
            Issue.record("\(deletion)")
            return
        }
        #expect(deleted.tombstone[\.number] == 7 && deleted.tombstone[\.code] == "T7")
        #expect(deleted.tombstone[\.note] == nil)
        #expect(deleted.changedPersistentIdentifier == ticket.persistentModelID)
    }

    @Test("A condition on authors, times, numbers and tokens finds transactions")
    func conditions() throws {
        _ = try saveThree()
        let all = try history()
        #expect(try history(#Predicate { $0.author == "app" }).map(\.transactionIdentifier) == [1])
        let first = all[0].token
        #expect(try history(#Predicate { $0.token > first }).map(\.transactionIdentifier) == [2, 3])
        #expect(
            try history(#Predicate { $0.token > first && $0.author == "app" }).isEmpty)
        #expect(try history(#Predicate { first < $0.token }).map(\.transactionIdentifier) == [2, 3])
        let (second, time) = (all[1].token, all[2].timestamp)
        #expect(try history(#Predicate { $0.token <= second }).map(\.transactionIdentifier) == [1, 2])
        #expect(try history(#Predicate { $0.timestamp <= time }).count == 3)
        #expect(try history(#Predicate { $0.transactionIdentifier == 3 }).count == 1)
        let store = all[0].storeIdentifier
        #expect(
            try history(#Predicate { $0.storeIdentifier == store && $0.author == "widget" }).count == 2)
        #expect(try history(#Predicate { $0.changes.count == 2 }).map(\.transactionIdentifier) == [1])
        let last = all[2].token
        #expect(try history(#Predicate { $0.token > last }).isEmpty)
    }

    @Test("Transactions are sorted and limited")
    func order() throws {
        _ = try saveThree()
        var descriptor = HistoryDescriptor<Transaction>(
            sortBy: [SortDescriptor(\.author), SortDescriptor(\.transactionIdentifier, order: .reverse)])
        #expect(try context.fetchHistory(descriptor).map(\.transactionIdentifier) == [1, 3, 2])
        descriptor.fetchLimit = 2
        #expect(try context.fetchHistory(descriptor).map(\.transactionIdentifier) == [1, 3])
    }

    @Test("A token survives being encoded, and tokens are ordered as transactions are")
    func tokens() throws {
        _ = try saveThree()
        let tokens = try history().map(\.token)
        let data = try JSONEncoder().encode(tokens)
        let decoded = try JSONDecoder().decode([DefaultHistoryToken].self, from: data)
        #expect(decoded == tokens && decoded.map(\.hashValue) == tokens.map(\.hashValue))
        #expect(tokens[0] < tokens[1] && tokens[2] > tokens[1] && !(tokens[1] < tokens[1]))
        let first = decoded[0]
        #expect(try history(#Predicate { $0.token > first }).count == 2)
        #expect(tokens[2].tokenValue.map(\.value) == [3])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(DefaultHistoryToken.self, from: Data(#"{"stores": {"a": "x"}}"#.utf8))
        }
    }

    @Test("Deletion takes the oldest transactions, and a token before them has expired")
    func deletion() throws {
        let (trip, _) = try saveThree()
        let tokens = try history().map(\.token)
        let second = tokens[1]
        try context.deleteHistory(HistoryDescriptor<Transaction>(predicate: #Predicate { $0.token < second }))
        #expect(try history().map(\.transactionIdentifier) == [2, 3])
        #expect(try history(#Predicate { $0.token > second }).map(\.transactionIdentifier) == [3])
        try context.deleteHistory(HistoryDescriptor<Transaction>())
        #expect(try history().isEmpty)
        let expired = #expect(throws: SwiftDataError.self) { try history(#Predicate { $0.token > second }) }
        #expect(expired.map { SwiftDataError.historyTokenExpired ~= $0 } == true)
        trip.name = "Atlas"
        try context.save()
        #expect(try history().map(\.transactionIdentifier) == [4])
    }

    @Test("A deletion that would leave older transactions is refused, and deletes nothing")
    func gaps() throws {
        _ = try saveThree()
        let error = #expect(throws: SwiftDataError.self) {
            try context.deleteHistory(
                HistoryDescriptor<Transaction>(predicate: #Predicate { $0.author == "widget" }))
        }
        #expect(error.map { "\($0)".contains("would stay in the history") } == true)
        #expect(try history().count == 3)
        try context.deleteHistory(
            HistoryDescriptor<Transaction>(predicate: #Predicate { $0.author == "app" }))
        #expect(try history().count == 2)
    }

    @Test("A token of several stores stands for all of them")
    func severalStores() throws {
        let configurations = [
            ModelConfiguration("trips", schema: Schema(Trip.self), isStoredInMemoryOnly: true),
            ModelConfiguration("rest", schema: Schema(Ticket.self), isStoredInMemoryOnly: true),
        ]
        let container = try ModelContainer(
            for: Schema(Trip.self, Ticket.self), configurations: configurations)
        let context = ModelContext(container)
        func save(_ model: some PersistentModel) throws {
            context.insert(model)
            try context.save()
        }
        try save(Trip(code: "A", name: "Alps"))
        try save(Ticket(1, ""))
        let last = try #require(
            try context.fetchHistory(HistoryDescriptor<Transaction>()).last?.token)
        #expect(last.tokenValue.count == 2)
        try save(Ticket(2, ""))
        let later = try context.fetchHistory(
            HistoryDescriptor<Transaction>(predicate: #Predicate { $0.token > last }))
        #expect(later.count == 1)
        let end = try #require(later.last?.token)
        #expect(
            try context.fetchHistory(
                HistoryDescriptor<Transaction>(predicate: #Predicate { $0.token > end })
            ).isEmpty)
    }
}

@Model
final class Ticket {
    @Attribute(.preserveValueOnDeletion) var number: Int
    @Attribute(.preserveValueOnDeletion) var code: String
    var note: String

    init(_ number: Int, _ note: String) {
        (self.number, self.code, self.note) = (number, "T\(number)", note)
    }
}
#endif
