import CoreData
import Foundation
import Testing

/// Two processes add to the same numbers. One starts over after a conflict, the other has a merge policy that
/// adds both changes. `CORE_DATA_TEST_SECONDS=60` for the long run.
@Suite("Two processes that write one store")
struct TwoProcessTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seconds = RandomRun.seconds ?? 2
    private static let folderKey = "ADDING_PROCESS_FOLDER"
    private static let storeKey = "ADDING_PROCESS_STORE"
    private static let options = [NSPersistentHistoryTrackingKey: true as NSNumber]

    /// Adds this context's increment to the stored value.
    private final class Adding: NSMergePolicy {
        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            let sums = list.map { conflict in
                let object = conflict.sourceObject
                let base = object.committedValues(forKeys: ["number"])["number"] as? Int ?? 0
                let mine = conflict.objectSnapshot?["number"] as? Int ?? 0
                let theirs = conflict.persistedSnapshot ?? conflict.cachedSnapshot
                return (object, (theirs?["number"] as? Int ?? 0) + mine - base)
            }
            try super.resolve(optimisticLockingConflicts: list)
            for (object, sum) in sums { object.setValue(sum, forKey: "number") }
        }
    }

    private struct Adder {
        let context: NSManagedObjectContext
        let numbers: [NSManagedObject]
        var successes = 0
        var conflicts = 0

        init(_ url: URL, policy: NSMergePolicy) throws {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TwoProcessTests.model())
            try coordinator.addPersistentStore(
                type: .tested, at: url,
                options: TwoProcessTests.options)
            context = coordinator.context(.privateQueue)
            context.mergePolicy = policy
            let context = context
            numbers = try context.performAndWait {
                try context.fetch("Sum", nil, [], sortedBy: "name")
            }
        }

        /// Adds one to a number, or to two in one save, and records the addition as an object.
        mutating func add(_ random: inout SeededGenerator) throws {
            let chosen = [random.pick(numbers), random.pick(numbers)]
            let context = context
            let successes = successes
            do {
                try context.performAndWait {
                    for object in chosen {
                        object.setValue((object.value(forKey: "number") as? Int ?? 0) + 1, forKey: "number")
                    }
                    let note = context.insert("Note", [:])
                    note.setValue(successes, forKey: "number")
                    note.setValue(chosen[0], forKey: "sum")
                    try context.save()
                }
                self.successes += 1
            } catch let error as NSError where error.code == NSManagedObjectMergeError {
                conflicts += 1
                context.performAndWait {
                    context.rollback()
                    context.refreshAllObjects()
                }
            }
        }

        /// For the time of the test, and longer if the machine is so busy that nothing was added yet.
        mutating func run(_ seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            let end = Date(timeIntervalSinceNow: TwoProcessTests.seconds)
            let latest = end.addingTimeInterval(60)
            while end.timeIntervalSinceNow > 0 || (successes == 0 && latest.timeIntervalSinceNow > 0) {
                try add(&random)
            }
        }
    }

    private static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Sum
              name string
              number int64
              notes ->> Note.sum
            Note
              number int64
              sum -> Sum.notes
            """
        ).model
    }

    /// Waits until a file exists.
    private static func wait(for file: URL) {
        let latest = Date(timeIntervalSinceNow: 120)
        while !FileManager.default.fileExists(atPath: file.path), latest.timeIntervalSinceNow > 0 {
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    @Test("No addition by either process is lost, and the history contains each of them")
    func noLostUpdate() async throws {
        let folder = try ScratchFolder()
        let url = try folder.place(.tested)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(
            type: .tested, at: url, options: Self.options)
        let setup = coordinator.context(.privateQueue)
        try setup.performAndWait {
            for name in ["a", "b", "c"] { _ = setup.insert("Sum", ["name": name, "number": 0]) }
            try setup.save()
        }
        let other = try TestProcess(
            "addingProcess", in: folder,
            environment: [Self.folderKey: folder.url.path, Self.storeKey: url.absoluteString])
        Self.wait(for: folder.file("started"))
        var adder = try Adder(url, policy: .error)
        try adder.run(1)
        let isWell = await other.ended()
        try #require(isWell, "\(other.output)")
        let theirs = try #require(Int(String(contentsOf: folder.file("successes"), encoding: .utf8)))
        let additions = adder.successes + theirs
        #expect(adder.successes > 0)
        #expect(theirs > 0)

        let reader = coordinator.context(.privateQueue)
        try reader.performAndWait {
            let sums = try reader.fetch("Sum", nil, [], sortedBy: "name")
            let total = sums.reduce(0) { $0 + ($1.value(forKey: "number") as? Int ?? 0) }
            #expect(total == 2 * additions, "\(adder.successes) and \(theirs), \(adder.conflicts) conflicts")
            #expect(try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == additions)
            let noted = sums.reduce(0) { $0 + (($1.value(forKey: "notes") as? NSSet)?.count ?? 0) }
            #expect(noted == additions)
            let request = NSPersistentHistoryChangeRequest.fetchHistory(
                after: nil as NSPersistentHistoryToken?)
            let result = try reader.execute(request) as? NSPersistentHistoryResult
            let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
            // The first transaction belongs to the set-up.
            #expect(transactions.count == additions + 1)
            let changes = transactions.dropFirst().flatMap { $0.changes ?? [] }
            #expect(changes.count { $0.changeType == .insert } == additions)
        }
    }

    @Test("addingProcess: the body of the second process", .enabled(if: environment[storeKey] != nil))
    func addingProcess() throws {
        let folder = URL(fileURLWithPath: try #require(Self.environment[Self.folderKey]))
        let url = try #require(Self.environment[Self.storeKey].flatMap { URL(string: $0) })
        var adder = try Adder(
            url, policy: Adding(merge: .mergeByPropertyObjectTrumpMergePolicyType))
        try Data().write(to: folder.appendingPathComponent("started"))
        try adder.run(2)
        #expect(adder.conflicts == 0)
        try String(adder.successes).write(
            to: folder.appendingPathComponent("successes"), atomically: true, encoding: .utf8)
    }
}
