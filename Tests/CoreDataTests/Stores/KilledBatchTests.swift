import CoreData
import Foundation
import Testing

/// As `KilledStoreTests`, for what writes more than a save.
@Suite("Processes that die while they write much", .serialized)
struct KilledBatchTests {
    enum Work: String, CaseIterable {
        /// Batches that insert, update and delete.
        case batches
        /// Saves of so many bytes that the log is copied into the database every few of them.
        case checkpoints
        /// One store put in the place of another.
        case replacements
    }

    private static let environment = ProcessInfo.processInfo.environment
    private static let kills = environment["CORE_DATA_TEST_KILLS"].flatMap(Int.init) ?? 2
    private static let place = "CORE_DATA_TEST_BATCH_FOLDER"
    private static let kind = "CORE_DATA_TEST_BATCH_WORK"
    /// Rows that come and go together.
    private static let group = 500

    private static func model() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = [
            ModelFixtures.entity(
                "Item",
                [
                    ModelFixtures.attribute("round", .integer64AttributeType),
                    ModelFixtures.attribute("mark", .integer64AttributeType),
                    ModelFixtures.attribute("body", .binaryDataAttributeType),
                ])
        ]
        return model
    }

    private static func context(_ url: URL) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static func insert(
        _ round: Int, mark: Int = 0, count: Int = group, bytes: Int = 200, _ context: NSManagedObjectContext
    ) throws {
        let body = Data(repeating: UInt8(truncatingIfNeeded: round), count: bytes)
        let row: [String: Any] = ["round": round, "mark": mark, "body": body]
        _ = try context.execute(
            NSBatchInsertRequest(entityName: "Item", objects: Array(repeating: row, count: count)))
    }

    /// The first round that no process before has begun.
    private static func next(_ context: NSManagedObjectContext) throws -> Int {
        let items = try context.fetch("Item", nil, [], sortedBy: "round")
        return (items.last?.value(forKey: "round") as? Int ?? 0) + 1
    }

    // MARK: The process that is killed

    @Test("The writer that is killed", .enabled(if: environment[place] != nil))
    func endlessBatches() throws {
        let folder = URL(fileURLWithPath: Self.environment[Self.place]!)
        let url = folder.appendingPathComponent("store")
        switch try #require(Work(rawValue: Self.environment[Self.kind]!)) {
        case .batches: try batches(try Self.context(url))
        case .checkpoints: try checkpoints(try Self.context(url))
        case .replacements: try replacements(url, in: folder)
        }
    }

    private func batches(_ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            for round in try Self.next(context)... {
                try Self.insert(round, context)
                let update = NSBatchUpdateRequest(entityName: "Item")
                update.propertiesToUpdate = ["mark": round]
                try context.execute(update)
                let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
                fetch.predicate = NSPredicate(format: "round < %d", round - 3)
                try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
            }
        }
    }

    private func checkpoints(_ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            for round in try Self.next(context)... {
                let old = try context.fetch("Item", "round < %d", [round - 2], sortedBy: nil)
                for item in old { context.delete(item) }
                for _ in 0..<Self.group {
                    let body = Data(repeating: UInt8(truncatingIfNeeded: round), count: 20_000)
                    _ = context.insert("Item", ["round": round, "mark": 0, "body": body])
                }
                try context.save()
            }
        }
    }

    private func replacements(_ url: URL, in folder: URL) throws {
        let sources = (1...2).map { folder.appendingPathComponent("source\($0)") }
        for (index, source) in sources.enumerated() {
            // A process that was killed early may have left it without its rows, or without a table.
            let context = try Self.context(source)
            try context.performAndWait {
                guard try Self.next(context) == 1 else { return }
                try Self.insert(index + 1, count: Self.group * (index + 1), bytes: 4000, context)
            }
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        while true {
            for source in sources {
                try coordinator.replacePersistentStore(
                    at: url, withPersistentStoreFrom: source, type: .sqlite)
            }
        }
    }

    // MARK: What it leaves

    @Test("What was written is there as a whole, and nothing else is", arguments: Work.allCases)
    func killed(_ work: Work) throws {
        let folder = try ScratchFolder()
        for _ in 0..<Self.kills {
            let writer = try TestProcess(
                "endlessBatches", in: folder,
                environment: [Self.place: folder.url.path, Self.kind: work.rawValue])
            Thread.sleep(forTimeInterval: Double.random(in: 0.5...3))
            #expect(writer.killed(), "\(writer.output)")
            let url = folder.url.appendingPathComponent("store")
            // The writer may not have come that far.
            guard FileManager.default.fileExists(atPath: url.path) else { continue }
            let context = try Self.context(url)
            try context.performAndWait {
                let items = try context.fetch("Item", nil, [], sortedBy: "round")
                let groups = Dictionary(grouping: items) { $0.value(forKey: "round") as? Int ?? -1 }
                for (round, items) in groups {
                    let count = work == .replacements ? Self.group * round : Self.group
                    #expect(items.count == count, "round \(round)")
                    #expect(
                        items.allSatisfy {
                            ($0.value(forKey: "body") as? Data)?.last == UInt8(truncatingIfNeeded: round)
                        })
                    #expect(Set(items.map { $0.value(forKey: "mark") as? Int }).count == 1)
                }
                switch work {
                case .batches:
                    // Old groups go one batch after a new one has come, so that each process that dies may leave one.
                    let rounds = groups.keys.sorted()
                    #expect(rounds.isEmpty || rounds == Array(rounds[0]...rounds[rounds.count - 1]))
                case .checkpoints: #expect(groups.count <= 3)
                case .replacements: #expect(groups.count <= 1)
                }
            }
            #expect(try PlainDatabase(url).integrity() == ["ok"])
        }
    }
}
