import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@testable import CoreDataSQL

/// A query like an earlier one gets its cached statement, which must equal the compiler's.
@Suite("Cached compiled queries")
struct CompiledQueriesTests {
    private let queries = CompiledQueries(CompanyModel.compiler)

    private func query(_ entity: String, _ format: String, _ arguments: [ExpressionNode] = []) throws
        -> FetchQuery
    {
        FetchQuery(
            entity: CompanyModel.index(entity),
            predicate: try FormatParser.predicate(format, arguments: arguments))
    }

    private struct Outcome: Equatable {
        var select: SQLFragment?
        var readsRows = false
        var failure = ""
    }

    private func outcome(_ compile: (FetchQuery) throws -> CompiledQuery, _ query: FetchQuery) -> Outcome {
        do {
            let compiled = try compile(query)
            return Outcome(select: compiled.select, readsRows: compiled.plan != nil)
        } catch {
            return Outcome(failure: "\(error)")
        }
    }

    private func expectAgreement(_ query: FetchQuery, location: SourceLocation = #_sourceLocation) {
        let expected = outcome(CompanyModel.compiler.compile, query)
        let found = outcome(queries.compile, query)
        #expect(found == expected, "\(query.predicate.map { "\($0)" } ?? "")", sourceLocation: location)
    }

    // MARK: Kept statements

    @Test("Queries that differ only in constants share the text of their statement")
    func sharing() throws {
        for age in [1, 2, 3] as [Int64] {
            let compiled = try queries.compile(
                query("Person", "age == %@ AND name == 'x'", [constant(.integer(age))]))
            #expect(compiled.select.bindings == [.integer(age), .text("x")])
        }
        #expect(queries.count == 1)
        _ = try queries.compile(query("Person", "age == 1 OR name == 'x'"))
        #expect(queries.count == 2)
    }

    @Test("Queries with another window, order or result form have another statement")
    func parts() throws {
        let plain = try query("Person", "age > 20")
        var changed = Array(repeating: plain, count: 6)
        changed[1].limit = 1
        changed[2].offset = 2
        changed[3].sort = [SortKey(keys: ["name"])]
        changed[4].shape = .references
        changed[5].includesSubentities = false
        for query in changed + changed { expectAgreement(query) }
        #expect(queries.count == changed.count)
    }

    @Test("A constant is encoded as the column compared with it stores values")
    func encodings() throws {
        let ada = ObjectReference(entity: CompanyModel.index("Employee"), key: 7)
        let values: [AttributeValue] = [
            .integer(5), .string("5"), .string("yes"), .double(0.5), .boolean(true), .decimal(3),
            .date(Date(timeIntervalSinceReferenceDate: 1)), .data(Data([1, 2])),
            .data(Data(count: ExternalBytes.longestInline + 1)), .uuid(UUID()), .null, .reference(ada),
            .string("1B4E28BA-2FA1-11D2-883F-0016D3CCA427"), .composite(["a": .integer(1)]), .string(""),
        ]
        let keys = [
            "age", "name", "isActive", "birthday", "photo", "token", "site", "salary", "boss", "SELF",
        ]
        for key in keys + ["boss.name", "department.budget", "entity"] {
            for value in values + values {
                expectAgreement(try query("Employee", "\(key) == %@", [constant(value)]))
            }
        }
    }

    @Test("A cached query keeps no object of the app alive")
    func ownership() throws {
        weak var constant: KeyedDictionary?
        try {
            let object = KeyedDictionary([:])
            constant = object
            let query = try query("Person", "SELF == %@ AND name == 'x'", [.constant(.object(object))])
            expectAgreement(query)
        }()
        #expect(constant == nil)
    }

    @Test("The cache keeps no more queries than its capacity")
    func room() throws {
        for limit in 1...600 {
            var query = try query("Person", "age == 1")
            query.limit = limit
            _ = try queries.compile(query)
            #expect(queries.count <= 256)
        }
    }

    @Test("A variable without a value is an error, also if it is named like a placeholder")
    func variables() throws {
        let free = compare(key("age"), .equalTo, .variable("?0"))
        let bound = compare(key("age"), .equalTo, constant(.integer(1)))
        for predicate in [bound, free, .compound(.and, [bound, free]), .compound(.and, [free, bound])] {
            expectAgreement(FetchQuery(entity: CompanyModel.index("Person"), predicate: predicate))
        }
    }

    // MARK: Random queries

    private static let operands = [
        "age", "name", "isActive", "birthday", "photo", "token", "site", "salary", "boss", "boss.name",
        "department", "department.name", "department.budget", "SELF", "entity", "boss.@count", "friends",
        "reports.@count", "projects.@count", "friends.name", "objectID", "draft", "age + 1", "salary * 2",
        "lowercase(name)", "SUBQUERY(reports, $x, $x.age > 3).@count", "nothing", "TERNARY(age > 1, 2, 3)",
    ]
    private static let relations = [
        "==", "!=", "<", "<=", ">", ">=", "==", "!=", "==[cd]", "!=[c]", "<[c]", "BEGINSWITH", "CONTAINS",
        "CONTAINS[cd]", "ENDSWITH", "LIKE", "MATCHES", "IN", "BETWEEN",
    ]
    private static let literals = [
        "%@", "%@", "%@", "%@", "%@", "nil", "0", "1", "-1", "2.5", "'a'", "YES", "{1, %@}", "{%@, %@}",
        "name", "age",
    ]

    private static func value(_ random: inout SeededGenerator) -> ExpressionNode {
        let key = Int64.random(in: -1...2, using: &random)
        let values: [ExpressionValue] = [
            .null, .value(.integer(key)), .value(.boolean(key > 0)), .value(.double(Double(key) / 2)),
            .value(.decimal(Decimal(key))),
            .value(.string(["", "a", "é", "e\u{301}", "1", "yes"].randomElement(using: &random)!)),
            .value(.date(Date(timeIntervalSinceReferenceDate: Double(key)))), .value(.uuid(UUID())),
            .value(.data(Data([UInt8(truncatingIfNeeded: key)]))),
            .value(.data(Data(count: ExternalBytes.longestInline + 1))),
            .value(.reference(ObjectReference(entity: .random(in: 0..<6, using: &random), key: key))),
            .value(.composite([:])), .object(KeyedDictionary([:])), .opaque(AnyHashable(key)),
            .collection([.value(.integer(key)), .value(.string("a"))], isOrdered: true),
            .collection((0..<9).map { .value(.integer($0 + key)) }, isOrdered: false),
        ]
        return .constant(values.randomElement(using: &random)!)
    }

    private static func format(_ depth: Int, _ random: inout SeededGenerator) -> String {
        if depth > 0, Int.random(in: 0..<3, using: &random) > 0 {
            let (left, right) = (format(depth - 1, &random), format(depth - 1, &random))
            let forms = ["(\(left) AND \(right))", "(\(left) OR \(right))", "NOT (\(left))"]
            return forms.randomElement(using: &random)!
        }
        let modifier = ["", "", "", "ANY ", "ALL ", "NONE "].randomElement(using: &random)!
        let sides = [operands, literals].map { $0.randomElement(using: &random)! }
        let relation = relations.randomElement(using: &random)!
        return modifier
            + (Int.random(in: 0..<8, using: &random) == 0 ? sides.reversed() : sides)
            .joined(separator: " \(relation) ")
    }

    @Test("A cached random query equals a newly compiled one, for constants of many kinds")
    func random() throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = UInt64(environment["CORE_DATA_TEST_SEED"] ?? "") ?? 1
        let cases = Int(environment["CORE_DATA_TEST_CASES"] ?? "") ?? 400
        var random = SeededGenerator(state: seed)
        for _ in 0..<cases {
            let format = Self.format(.random(in: 0...2, using: &random), &random)
            let count = format.split(separator: "%@", omittingEmptySubsequences: false).count - 1
            let entity = CompanyModel.model.entities.randomElement(using: &random)!.index
            let sort = Bool.random(using: &random) ? [] : [SortKey(keys: ["name"])]
            let limit = Int.random(in: 0...1, using: &random)
            for _ in 0..<6 {
                let arguments = (0..<count).map { _ in Self.value(&random) }
                guard let predicate = try? FormatParser.predicate(format, arguments: arguments) else { break }
                expectAgreement(
                    FetchQuery(
                        entity: entity, predicate: predicate, sort: sort, limit: limit,
                        shape: [.rows, .references, .count].randomElement(using: &random)!))
            }
        }
        #expect(queries.count > 0)
    }
}
