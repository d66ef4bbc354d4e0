import Foundation
import Testing

@testable import CoreData

@Suite("Fetch indexes")
@MainActor
struct FetchIndexTests {

    /// Places, towns among them, with an index of every kind.
    private static func model(isIndexed: Bool = true) -> NSManagedObjectModel {
        let model = ModelSketch(
            """
            Place
              x double
              y double
              name string
              rank int32
              visits ->> Visit.place
              index byRank -rank, name
              index named name where name != nil AND rank > 5
              index byPlace ^x, ^y
            Town: Place
              people int32
              index byPeople people
            Visit
              day int32
              place -> Place.visits
            """
        ).model
        if !isIndexed { for entity in model.entities { entity.indexes = [] } }
        return model
    }

    /// Inserts random places, some without coordinates.
    private func fill(_ stack: TestStack, seed: UInt64 = 1) throws {
        var state = seed
        func next(_ limit: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % limit
        }
        for number in 0..<200 {
            let place = stack.insert(number % 3 == 0 ? "Town" : "Place", ["rank": number % 10])
            if number % 7 > 0 { place.setValue("N\(next(50))", forKey: "name") }
            // Tenths are not exact in the precision of an R-tree.
            if number % 11 > 0 { place.setValue(Double(next(400)) / 10 - 20, forKey: "x") }
            if number % 13 > 0 { place.setValue(Double(next(400)) / 10 - 20, forKey: "y") }
            stack.insert("Visit", ["day": number, "place": place])
        }
        try stack.context.save()
    }

    /// Returns a fetch's statement with SQLite's query plan.
    private func plan(_ stack: TestStack, _ entity: String, _ format: String, sort: String? = nil) throws
        -> String
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format)
        if let sort { request.sortDescriptors = [NSSortDescriptor(key: sort, ascending: false)] }
        let selects = try stack.selects { _ = try stack.context.fetch(request) }
        let statement = try #require(selects.first)
        return try PlainDatabase(stack.folder.file()).rows("EXPLAIN QUERY PLAN \(statement)")
            .map { "\($0[3])" }.joined(separator: "\n")
    }

    private func days(_ stack: TestStack, _ entity: String, _ format: String) throws -> Set<Int> {
        Set(
            try stack.fetch(entity, format).flatMap { object -> [Int] in
                if entity == "Visit" { return [object.value(forKey: "day") as? Int ?? -1] }
                return (object.value(forKeyPath: "visits.day") as? Set<Int> ?? []).map { $0 }
            })
    }

    // MARK: Binary indexes

    @Test("Indexes have the same SQL as in Apple's stores", .ofSQLite("SQLite's indexes and plans"))
    func definitions() throws {
        let stack = try TestStack(Self.model())
        let sql = try PlainDatabase(stack.folder.file()).strings(
            "SELECT sql FROM sqlite_master WHERE name GLOB 'Z_Place_*' OR name GLOB 'Z_Town_*' ORDER BY name")
        #expect(
            sql == [
                "CREATE INDEX Z_Place_byRank ON ZPLACE (ZRANK COLLATE BINARY DESC, ZNAME COLLATE BINARY ASC)",
                """
                CREATE INDEX Z_Place_named ON ZPLACE (ZNAME COLLATE BINARY ASC) \
                WHERE (ZNAME IS NOT NULL AND ZRANK > 5)
                """,
                "CREATE INDEX Z_Town_byPeople ON ZPLACE (ZPEOPLE COLLATE BINARY ASC)",
            ])
    }

    @Test(
        "Ranges, prefixes and orders use an index, a partial index within its condition",
        .ofSQLite("SQLite's indexes and plans"))
    func binaryPlans() throws {
        let stack = try TestStack(Self.model())
        try fill(stack)
        #expect(
            try plan(stack, "Place", "rank BETWEEN {2, 3}").contains("Z_Place_byRank (ZRANK>? AND ZRANK<?)"))
        #expect(
            try plan(stack, "Place", "rank == 2 AND name BEGINSWITH 'N1'")
                .contains("Z_Place_byRank (ZRANK=? AND ZNAME>? AND ZNAME<?)"))
        #expect(
            try plan(stack, "Place", "TRUEPREDICATE", sort: "rank").contains("USING INDEX Z_Place_byRank"))
        let within = "SELECT Z_PK FROM ZPLACE WHERE ZNAME = 'N1' AND ZRANK > 5"
        let steps = try PlainDatabase(stack.folder.file()).rows("EXPLAIN QUERY PLAN \(within)")
        #expect("\(steps)".contains("Z_Place_named"))
        for format in ["rank BETWEEN {2, 3}", "name == 'N7' AND rank > 5", "people BETWEEN {-1, 0}"] {
            let plain = try TestStack(Self.model(isIndexed: false))
            try fill(plain)
            let entity = format.hasPrefix("people") ? "Town" : "Place"
            #expect(try days(stack, entity, format) == days(plain, entity, format))
        }
    }

    // MARK: Spatial indexes

    private static let boxes: [(entity: String, format: String)] = [
        ("Place", "%@(x) BETWEEN {-5, 5} AND %@(y) BETWEEN {0.1, 7.3}"),
        ("Town", "%@(x) BETWEEN {-5, 5}"),
        ("Place", "%@(y) BETWEEN {-0.3, 0.3} OR rank == 9"),
        ("Place", "NOT (%@(x) BETWEEN {-19.9, 19.9})"),
        ("Place", "%@(x) BETWEEN {5, -5}"),
        ("Place", "%@(x) BETWEEN {-100, nil}"),
        ("Visit", "%@(place.x) BETWEEN {1.1, 12.5} AND %@(place.y) BETWEEN {-9, 9}"),
    ]

    private func indexed(_ format: String) -> String {
        format.replacing(/%@\(([a-z.]+)\)/) { "indexed:by:(\($0.1), 'byPlace')" }
    }

    private func plain(_ format: String) -> String { format.replacing("%@", with: "") }

    @Test(
        "A search with the spatial index finds the same as without it, after all kinds of writes",
        arguments: NSPersistentStore.StoreType.all)
    func boxes(_ type: NSPersistentStore.StoreType) throws {
        let stack = try TestStack(Self.model(), type: type)
        try fill(stack)
        func check() throws {
            for box in Self.boxes {
                let expected = try days(stack, box.entity, plain(box.format))
                #expect(try days(stack, box.entity, indexed(box.format)) == expected, "\(box.format)")
                #expect(box.format.contains("nil") || box.format.contains("{5, -5}") || !expected.isEmpty)
            }
        }
        try check()
        for (number, place) in try stack.fetch("Place", "rank < 5").enumerated() {
            switch number % 4 {
            case 0: stack.context.delete(place)
            case 1: place.setValue(nil, forKey: "x")
            default: place.setValue(Double(number) / 10, forKey: "x")
            }
        }
        // With unsaved changes, then from the store.
        try check()
        try stack.context.save()
        try check()
        if type == .sqlite || type == .postgreSQL {
            let rows: [[String: Any]] = (0..<50).map { ["x": Double($0) / 10, "y": 0.2, "rank": 1] }
            try stack.context.execute(NSBatchInsertRequest(entityName: "Town", objects: rows))
            let update = NSBatchUpdateRequest(entityName: "Place")
            update.predicate = NSPredicate(format: indexed("%@(x) BETWEEN {3, 4}"))
            update.propertiesToUpdate = ["y": 0.15]
            try stack.context.execute(update)
            stack.context.reset()
            try check()
            guard type == .sqlite else { return }
            let index = try PlainDatabase(stack.storeURL)
            #expect(try index.strings("SELECT rtreecheck('Z_RT_Place_byPlace')") == ["ok"])
        }
    }

    @Test(
        "Both bounds take one lookup in the R-tree, which leads to the rows",
        .ofSQLite("SQLite's indexes and plans"))
    func spatialPlan() throws {
        let stack = try TestStack(Self.model())
        try fill(stack)
        let plan = try plan(stack, "Place", indexed(Self.boxes[0].format))
        #expect(plan.contains("SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)"), "\(plan)")
        #expect(plan.matches(of: /SCAN Z_RT_Place_byPlace VIRTUAL TABLE INDEX/).count == 1, "\(plan)")
    }

    @Test(
        "A store without the index opens unchanged and answers the same",
        .ofSQLite("SQLite's indexes and plans"))
    func missing() throws {
        let folder = try ScratchFolder()
        let old = try TestStack(Self.model(isIndexed: false), in: folder)
        try fill(old)
        let before = try PlainDatabase(folder.file()).schema()
        let stack = try TestStack(Self.model(), in: folder)
        for box in Self.boxes {
            #expect(
                try days(stack, box.entity, indexed(box.format)) == days(old, box.entity, plain(box.format)))
        }
        #expect(try PlainDatabase(folder.file()).schema() == before)
        let new = try TestStack(Self.model())
        try fill(new)
        let reopened = try new.reopened()
        #expect(
            try plan(reopened, "Place", indexed(Self.boxes[0].format)).contains("SCAN Z_RT_Place_byPlace"))
    }

    @Test("A hint with another kind of index is ignored, and one with an unknown index is an error")
    func hints() throws {
        let stack = try TestStack(Self.model())
        try fill(stack)
        let expected = try days(stack, "Place", "rank > 7")
        #expect(try days(stack, "Place", "indexed:by:(rank, 'byRank') > 7") == expected)
        #expect(try days(stack, "Town", "indexed:by:(rank, 'byRank') BETWEEN {8, 9}").isSubset(of: expected))
        let error = #expect(throws: CocoaError.self) {
            try stack.fetch("Place", "indexed:by:(x, 'byName') BETWEEN {1, 2}")
        }
        let text = "\(error?.userInfo ?? [:])"
        #expect(text.contains("entity Place has no fetch index"), "\(text)")
        let predicate = NSPredicate(format: "indexed:by:(x, 'byPlace') BETWEEN {1, 2}")
        #expect(predicate.description == "indexed:by:(x, \"byPlace\") BETWEEN {1, 2}")
        #expect(predicate.evaluate(with: ["x": 1.5]))
        #expect(!predicate.evaluate(with: ["x": 3]))
    }
}
