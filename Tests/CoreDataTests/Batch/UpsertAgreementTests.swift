import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLTestSupport
import Testing

@Suite("Batch insertions that meet several constraints, in two databases", .needsServer)
@MainActor
struct UpsertAgreementTests {
    private static let model = ModelSketch(
        """
        Place
          name string
          code int32
          floor int16
          wing string
          note string
          size double
          open bool
          unique name
          unique code
          unique wing, floor
        Hall: Place
          seats int32
          unique seats
        """
    ).model

    /// Returns the values of all objects, in an order of their own.
    private func contents(_ stack: TestStack) throws -> [String] {
        let fresh = try TestStack(
            Self.model, in: stack.folder, type: stack === self.stack ? .sqlite : .postgreSQL)
        return try fresh.fetch("Place").map { object in
            let values = object.entity.attributesByName.keys.sorted().map { key in
                "\(key) \(object.value(forKey: key).map { "\($0)" } ?? "-")"
            }
            return "\(object.entity.name ?? "") \(values.joined(separator: ", "))"
        }.sorted()
    }

    private let stack: TestStack
    private let other: TestStack

    init() throws {
        stack = try TestStack(Self.model, type: .sqlite)
        other = try TestStack(Self.model, type: .postgreSQL)
    }

    private static let policies: [NSMergePolicy] = [
        .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback, .error,
    ]

    /// Executes a request on both stores; returns how many objects it reports, or the code of its error below
    /// zero.
    private func insert(_ entity: String, _ rows: [[String: Any]], _ policy: NSMergePolicy) -> [Int?] {
        [stack, other].map { stack in
            let context = stack.sibling()
            context.mergePolicy = policy
            let request = NSBatchInsertRequest(entityName: entity, objects: rows)
            request.resultType = .count
            do {
                return try #require(context.execute(request) as? NSBatchInsertResult).result as? Int
            } catch {
                return -(error as NSError).code
            }
        }
    }

    @Test(
        "SQLite and PostgreSQL change and insert the same rows, also if rows of a batch meet each other",
        arguments: 1...8)
    func agreement(_ seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        for round in 0..<25 {
            let entity = dice.pick(["Place", "Place", "Hall"])
            let rows = (0..<dice.number(1...8)).map { _ -> [String: Any] in
                var row: [String: Any] = [:]
                if dice.chance(60) { row["name"] = "n\(dice.number(0...12))" }
                if dice.chance(60) { row["code"] = dice.number(0...12) }
                if dice.chance(40) { row["wing"] = dice.pick(["a", "b"]) }
                if dice.chance(40) { row["floor"] = dice.number(0...4) }
                if dice.chance(50) { row["note"] = "note \(dice.number(0...99))" }
                if dice.chance(50) { row["size"] = Double(dice.number(0...99)) / 4 }
                if dice.chance(50) { row["open"] = dice.chance(50) }
                if entity == "Hall", dice.chance(50) { row["seats"] = dice.number(0...9) }
                return row
            }
            let policy = dice.pick(Self.policies)
            let counts = insert(entity, rows, policy)
            #expect(counts[0] == counts[1], "round \(round)")
            #expect(try contents(stack) == contents(other), "round \(round)")
        }
    }
}
