import CoreData
import Foundation
import Testing

@Suite(
    "Filtering history with fetch requests",
    .ofSQLite("History that no other transaction in progress keeps"))
struct HistoryFilteringTests {
    /// Three transactions: "one" inserts two cars and a sports car, "two" inserts an owner, "one" changes the
    /// owner and deletes a car.
    private struct Story {
        let stack: HistoryStack
        let owner: NSManagedObject
        let car: NSManagedObject
        /// The tokens before the first transaction and after each.
        let tokens: [NSPersistentHistoryToken]

        init() throws {
            let stack = try HistoryStack()
            var tokens = [try #require(stack.token)]
            func save() throws {
                try stack.context.save()
                tokens.append(try #require(stack.token))
            }
            let context = stack.context
            (context.transactionAuthor, context.name) = ("one", "view")
            car = stack.insert("Car", ["plate": "1"])
            stack.insert("Car", ["plate": "2"])
            stack.insert("SportCar", ["plate": "3"])
            try save()
            (context.transactionAuthor, context.name) = ("two", nil)
            owner = stack.insert("Owner", ["name": "Ada"])
            try save()
            context.transactionAuthor = "one"
            owner.setValue("Bo", forKey: "name")
            context.delete(car)
            try save()
            self.stack = stack
            self.tokens = tokens
        }
    }

    @Test("Transactions are filtered by author, name, program, time and number")
    func transactions() throws {
        let story = try Story()
        let stack = story.stack
        #expect(try stack.numbers("author == %@", "one") == [1, 3])
        #expect(try stack.numbers("author != %@", "one") == [2])
        #expect(try stack.numbers("author IN %@", ["two", "three"]) == [2])
        #expect(try stack.numbers("contextName == %@ AND author BEGINSWITH %@", "view", "o") == [1])
        #expect(try stack.numbers("contextName == nil") == [2, 3])
        #expect(try stack.numbers("processID == %@", ProcessInfo.processInfo.processName) == [1, 2, 3])
        #expect(try stack.numbers("processID == %@", "nobody") == [])
        #expect(try stack.numbers("transactionNumber > %d", 1) == [2, 3])
        let times = try stack.transactions().map(\.timestamp)
        #expect(try stack.numbers("timestamp > %@", times[0]) == [2, 3])
        #expect(try stack.numbers("timestamp BETWEEN {%@, %@}", times[0], times[1]) == [1, 2])
        #expect(try stack.numbers("ANY changes.changeType == %d", 2) == [3])
        #expect(try stack.numbers("changes.@count > 1") == [1, 3])
    }

    @Test("Tokens in predicates are compared with transactions")
    func tokens() throws {
        let story = try Story()
        let (stack, tokens) = (story.stack, story.tokens)
        #expect(try stack.numbers("token == %@", tokens[2]) == [2])
        #expect(try stack.numbers("token > %@", tokens[1]) == [2, 3])
        #expect(try stack.numbers("token >= %@ AND token <= %@", tokens[1], tokens[2]) == [1, 2])
        #expect(try stack.numbers("token > %@ AND author == %@", tokens[1], "one") == [3])
    }

    @Test(
        "A predicate with the token before all history, or of deleted history, is an error"
    )
    func firstToken() throws {
        let story = try Story()
        let (stack, tokens) = (story.stack, story.tokens)
        func code(_ token: NSPersistentHistoryToken) throws -> Int? {
            let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
            fetch.predicate = NSPredicate(format: "author == 'one' AND token > %@", token)
            return stack.code(of: .fetchHistory(withFetch: fetch))
        }
        #expect(try code(tokens[0]) == NSPersistentHistoryTokenExpiredError)
        #expect(try code(tokens[1]) == nil)
        let after: [NSPersistentHistoryTransaction] = try stack.result(
            .fetchHistory(after: tokens[0]), as: .transactionsOnly)
        #expect(after.count == 3)
        try stack.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: tokens[3]))
        #expect(try code(tokens[1]) == NSPersistentHistoryTokenExpiredError)
    }

    @Test("Changes are filtered by kind, entity and object")
    func changes() throws {
        let story = try Story()
        let stack = story.stack
        let update = try stack.changes("changeType == %d", NSPersistentHistoryChangeType.update.rawValue)
        #expect(update.map(\.changedObjectID) == [story.owner.objectID])
        // An entity matches only its own objects, not those of subentities.
        let inserted = try stack.changes(
            "changeType == 0 AND (changedEntity == %@ OR changedEntity == %@)", story.car.entity,
            story.owner.entity)
        #expect(inserted.count == 3)
        #expect(try stack.changes("changedEntity IN %@", [story.car.entity]).count == 3)
        #expect(try stack.changes("changedEntity == 'Owner'").count == 2)
        #expect(try stack.changes("changedEntity == 'Nobody'").isEmpty)
        #expect(
            try stack.changes("changedObjectID == %@", story.owner.objectID).map(\.changeType)
                == [.insert, .update])
        #expect(try stack.changes("%K == %@", "changedObjectID", story.owner).count == 2)
        #expect(
            try stack.changes("changedObjectID IN %@", [story.owner.objectID, story.car.objectID]).count == 4)
        #expect(
            try stack.changes("changedObjectID != %@ AND changeType == 2", story.owner.objectID).count == 1)
        #expect(try stack.changes("transaction.author == %@", "two").count == 1)
        #expect(try stack.changes("token > %@", story.tokens[1]).count == 3)
    }

    @Test("Transactions found by their changes contain only those changes")
    func grouped() throws {
        let story = try Story()
        let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
        fetch.predicate = NSPredicate(format: "changeType == 1")
        let found: [NSPersistentHistoryTransaction] = try story.stack.result(
            .fetchHistory(withFetch: fetch), as: .transactionsAndChanges)
        #expect(found.map(\.token) == [story.tokens[3]])
        #expect(found[0].changes?.map(\.changeType) == [.update])
        #expect(try story.stack.result(.fetchHistory(withFetch: fetch), as: .count) as Int == 1)
        let bare: [NSPersistentHistoryTransaction] = try story.stack.result(
            .fetchHistory(withFetch: fetch), as: .transactionsOnly)
        try #require(bare.map(\.transactionNumber) == [3])
        #expect(bare[0].changes == nil)
    }

    @Test("A filter also applies to history after a token")
    func both() throws {
        let story = try Story()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: story.tokens[1])
        request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
        request.fetchRequest?.predicate = NSPredicate(format: "author == %@", "one")
        let found: [NSPersistentHistoryTransaction] = try story.stack.result(request, as: .transactionsOnly)
        #expect(found.map(\.transactionNumber) == [3])
        request.fetchRequest = NSPersistentHistoryChange.fetchRequest
        request.fetchRequest?.predicate = NSPredicate(format: "changedObjectID == %@", story.owner.objectID)
        let changes: [NSPersistentHistoryChange] = try story.stack.result(request, as: .changesOnly)
        #expect(changes.map(\.changeType) == [.insert, .update])
    }

    @Test("Order, limit and offset apply")
    func window() throws {
        let story = try Story()
        let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
        fetch.sortDescriptors = [
            NSSortDescriptor(key: "author", ascending: false),
            NSSortDescriptor(key: "token", ascending: false),
        ]
        fetch.fetchLimit = 2
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        let found: [NSPersistentHistoryTransaction] = try story.stack.result(
            request, as: .transactionsAndChanges)
        #expect(found.map(\.transactionNumber) == [2, 3])
        #expect(found.map { $0.changes?.count } == [1, 2])
        fetch.fetchOffset = 2
        let rest: [NSPersistentHistoryTransaction] = try story.stack.result(request, as: .transactionsOnly)
        #expect(rest.map(\.transactionNumber) == [1])
    }

    @Test(
        "Object IDs of another coordinator match no change, but the ID of the same URI does")
    func foreignIDs() throws {
        let story = try Story()
        let other = try story.stack.sibling()
        let id = story.owner.objectID
        #expect(try other.changes("changedObjectID == %@", id).isEmpty)
        #expect(
            try other.context.existingObject(with: id).objectID.uriRepresentation() == id.uriRepresentation())
        let own = try #require(
            other.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()))
        #expect(try other.changes("changedObjectID == %@", own).count == 2)
        let stranger = try HistoryStack().saveCar()
        #expect(try other.changes("changedObjectID == %@", stranger.objectID).isEmpty)
    }

    @Test("The history entities have the names and attributes that predicates use")
    func entities() throws {
        let stack = try HistoryStack()
        let transaction = try #require(NSPersistentHistoryTransaction.entityDescription)
        #expect(
            Set(transaction.attributesByName.keys) == [
                "author", "bundleID", "contextName", "processID", "timestamp", "token", "transactionNumber",
            ])
        let change = try #require(NSPersistentHistoryChange.entityDescription(with: stack.context))
        #expect(change.attributesByName["changedObjectID"]?.name == "changedObjectID")
        #expect(change.attributesByName["changedEntity"] != nil)
        #expect(NSPersistentHistoryTransaction.entityDescription(with: stack.context) == transaction)
        #expect(NSPersistentHistoryChange.fetchRequest?.entityName == change.name)
    }

    @Test("An invalid request is an error that explains why")
    func nonsense() throws {
        let stack = try HistoryStack()
        try stack.saveCar()
        let cars = NSFetchRequest<any NSFetchRequestResult>(entityName: "Car")
        #expect(
            stack.code(of: .fetchHistory(withFetch: cars)) == NSPersistentStoreUnsupportedRequestTypeError)
        let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
        fetch.predicate = NSPredicate(format: "colour == 'red'")
        #expect(stack.code(of: .fetchHistory(withFetch: fetch)) == NSCoreDataError)
        fetch.predicate = NSPredicate { _, _ in true }
        #expect(stack.code(of: .fetchHistory(withFetch: fetch)) == NSCoreDataError)
        let deletion = NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture)
        deletion.resultType = .changesOnly
        #expect(stack.code(of: deletion) == NSPersistentStoreUnsupportedRequestTypeError)
    }
}
