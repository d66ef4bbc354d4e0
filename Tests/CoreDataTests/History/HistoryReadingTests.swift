import CoreData
import Foundation
import Testing

@Suite("Reading persistent history")
struct HistoryReadingTests {
    @Test(
        "A transaction has its author, context, program and time",
        .ofSQLite("Tokens that are equal whatever else is in progress"))
    func transaction() throws {
        let stack = try HistoryStack()
        (stack.context.name, stack.context.transactionAuthor) = ("view", "me")
        let start = Date()
        let owner = stack.insert("Owner", ["name": "Ada"])
        let car = stack.insert("SportCar", ["plate": "A 1", "owner": owner])
        try stack.context.save()
        let transaction = try #require(try stack.transactions().first)
        #expect(transaction.author == "me")
        #expect(transaction.contextName == "view")
        #expect(transaction.processID == ProcessInfo.processInfo.processName)
        #expect(transaction.bundleID == Bundle.main.bundleIdentifier ?? "")
        #expect(transaction.storeID == stack.store.identifier)
        #expect(transaction.transactionNumber == 1)
        #expect(transaction.timestamp >= start && transaction.timestamp <= Date())
        #expect(transaction.token == stack.token)
        let changes = try #require(transaction.changes)
        #expect(Set(changes.map(\.changedObjectID)) == [owner.objectID, car.objectID])
        #expect(changes.allSatisfy { $0.changeType == .insert && $0.transaction == transaction })
        #expect(changes.allSatisfy { $0.updatedProperties == nil && $0.tombstone == nil })
        #expect(Set(changes.map(\.changeID)).count == 2)
    }

    @Test("Every change is recorded, however many rows a statement writes", arguments: [19, 20, 21, 45])
    func manyChanges(_ count: Int) throws {
        let stack = try HistoryStack()
        let cars = (0..<count).map { stack.insert("Car", ["plate": "\($0)", "maker": "X"]) }
        try stack.context.save()
        for (number, car) in cars.enumerated() {
            car.setValue("Y", forKey: "maker")
            if number % 3 == 0 { car.setValue("new \(number)", forKey: "plate") }
        }
        try stack.context.save()
        let ids = cars.map(\.objectID)
        for car in cars { stack.context.delete(car) }
        try stack.context.save()
        let changes = try stack.transactions().map { $0.changes ?? [] }
        #expect(changes.map(\.count) == [count, count, count])
        for (number, id) in ids.enumerated() {
            func change(_ index: Int) throws -> NSPersistentHistoryChange {
                try #require(changes[index].first { $0.changedObjectID == id })
            }
            #expect(try change(0).changeType == .insert)
            #expect(try stack.written(change(1)) == (number % 3 == 0 ? ["maker", "plate"] : ["maker"]))
            let plate = number % 3 == 0 ? "new \(number)" : "\(number)"
            #expect(try change(2).tombstone?["plate"] as? String == plate)
        }
        #expect(Set(changes.joined().map(\.changeID)).count == 3 * count)
    }

    @Test("An update names its properties, and a deletion keeps preserved values")
    func updateAndDelete() throws {
        let stack = try HistoryStack()
        let built = Date(timeIntervalSinceReferenceDate: 1000.5)
        let car = stack.insert("SportCar", ["plate": "A 1", "built": built, "maker": "X"])
        let owner = stack.insert("Owner")
        try stack.context.save()
        car.setValue("Y", forKey: "maker")
        car.setValue(200, forKey: "top")
        car.setValue(owner, forKey: "owner")
        try stack.context.save()
        stack.context.delete(car)
        try stack.context.save()
        let transactions = try stack.transactions()
        #expect(transactions.map(\.transactionNumber) == [1, 2, 3])
        let update = try #require(
            transactions[1].changes?.first { $0.changedObjectID == car.objectID })
        #expect(update.changeType == .update)
        #expect(stack.written(update) == ["maker", "owner", "top"])
        let otherSide = transactions[1].changes?.first { $0.changedObjectID == owner.objectID }
        #expect(stack.written(otherSide) == ["cars"])
        let deletion = try #require(
            transactions[2].changes?.first { $0.changedObjectID == car.objectID })
        #expect(deletion.changeType == .delete)
        #expect(deletion.tombstone?["plate"] as? String == "A 1")
        #expect(deletion.tombstone?["built"] as? Date == built)
        #expect(deletion.tombstone?.count == 2)
    }

    @Test("A row that the context never read keeps its preserved values, too")
    func unreadTombstone() throws {
        let stack = try HistoryStack()
        let id = try stack.saveCar("B 2").objectID
        let other = try stack.sibling()
        let sameID = try #require(
            other.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()))
        other.context.delete(other.context.object(with: sameID))
        try other.context.save()
        let deletion = try #require(try stack.transactions().last?.changes?.first)
        #expect(deletion.changedObjectID == id)
        #expect(deletion.tombstone?["plate"] as? String == "B 2")
    }

    @Test("Batches are transactions like saves")
    func batches() throws {
        let stack = try HistoryStack()
        stack.context.transactionAuthor = "importer"
        try stack.context.execute(
            NSBatchInsertRequest(entityName: "Car", objects: [["plate": "1"], ["plate": "2"]]))
        let update = NSBatchUpdateRequest(entityName: "Car")
        update.propertiesToUpdate = ["maker": "Z"]
        try stack.context.execute(update)
        try stack.context.execute(
            NSBatchDeleteRequest(fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Car")))
        let transactions = try stack.transactions()
        #expect(transactions.map(\.author) == ["importer", "importer", "importer"])
        #expect(transactions.map { $0.changes?.count } == [2, 2, 2])
        #expect(stack.written(transactions[1].changes?.first) == ["maker"])
        #expect(transactions[2].changes?.compactMap { $0.tombstone?["plate"] as? String } == ["1", "2"])
    }

    @Test("Every result type returns its form of result")
    func resultTypes() throws {
        let stack = try HistoryStack()
        let car = try stack.saveCar()
        car.setValue("X", forKey: "maker")
        try stack.context.save()
        let all = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        #expect(all.resultType == .transactionsAndChanges)
        #expect(try stack.result(all, as: .statusOnly) as Bool)
        #expect(try stack.result(all, as: .count) as Int == 2)
        #expect(try stack.result(all, as: .objectIDs) as [NSManagedObjectID] == [car.objectID])
        let bare: [NSPersistentHistoryTransaction] = try stack.result(all, as: .transactionsOnly)
        #expect(bare.map(\.changes) == [nil, nil])
        let changes: [NSPersistentHistoryChange] = try stack.result(all, as: .changesOnly)
        #expect(changes.map(\.changeType) == [.insert, .update])
    }

    @Test("History after a token, date or transaction contains only later transactions")
    func after() throws {
        let stack = try HistoryStack()
        let empty = try #require(stack.token)
        #expect(try stack.transactions(after: empty).isEmpty)
        for plate in ["1", "2", "3"] { try stack.saveCar(plate) }
        #expect(try stack.transactions(after: empty).count == 3)
        let all = try stack.transactions()
        #expect(try stack.transactions(after: all[0].token).map(\.transactionNumber) == [2, 3])
        #expect(try stack.transactions(after: stack.token).isEmpty)
        let later: [NSPersistentHistoryTransaction] = try stack.result(
            .fetchHistory(after: all[1]), as: .transactionsOnly)
        #expect(later == [all[2]])
        let byDate: [NSPersistentHistoryTransaction] = try stack.result(
            .fetchHistory(after: all[0].timestamp), as: .transactionsOnly)
        #expect(byDate == Array(all[1...]))
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: empty)
        #expect(request.token == empty)
        #expect(NSPersistentHistoryChangeRequest.fetchHistory(after: Date()).token == nil)
    }

    @Test("A save without changes leaves no transaction")
    func nothing() throws {
        let stack = try HistoryStack()
        let car = try stack.saveCar()
        stack.context.detectConflicts(for: car)
        try stack.context.save()
        #expect(try stack.transactions().count == 1)
    }

    @Test("A store without history refuses every history request")
    func untracked() throws {
        let stack = try HistoryStack(keepsHistory: false)
        try stack.saveCar()
        #expect(stack.token == nil)
        #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
        let code = NSPersistentStoreUnsupportedRequestTypeError
        #expect(stack.code(of: .fetchHistory(after: .distantPast)) == code)
        #expect(stack.code(of: .deleteHistory(before: .distantFuture)) == code)
    }

    @Test(
        "The save notification carries the transaction's token",
        .ofSQLite("Tokens that are equal whatever else is in progress"))
    func notification() throws {
        let stack = try HistoryStack()
        nonisolated(unsafe) var token: NSPersistentHistoryToken?
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: stack.context, queue: nil
        ) { token = $0.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken }
        defer { NotificationCenter.default.removeObserver(observer) }
        try stack.saveCar()
        #expect(token != nil)
        #expect(token == stack.token)
    }

    @Test("Merging history updates a context of another coordinator")
    func consuming() throws {
        let writer = try HistoryStack()
        let car = try writer.saveCar("old")
        let doomed = try writer.saveCar("doomed")
        let reader = try writer.sibling()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Car")
        request.sortDescriptors = [NSSortDescriptor(key: "plate", ascending: false)]
        let cars = try reader.context.fetch(request)
        #expect(cars.map { $0.value(forKey: "plate") as? String } == ["old", "doomed"])
        let start = reader.token
        car.setValue("new", forKey: "plate")
        writer.context.delete(doomed)
        writer.insert("Owner", ["name": "Ada"])
        try writer.context.save()
        #expect(cars[0].value(forKey: "plate") as? String == "old")
        for transaction in try reader.transactions(after: start) {
            reader.context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        }
        #expect(cars[0].value(forKey: "plate") as? String == "new")
        #expect(cars[1].isDeleted)
        let transaction = try #require(try reader.transactions(after: start).first)
        let info = transaction.objectIDNotification().userInfo ?? [:]
        #expect(
            Set(info.keys.compactMap { $0 as? String }) == [
                NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey,
                NSPersistentHistoryTokenKey,
            ])
    }
}
