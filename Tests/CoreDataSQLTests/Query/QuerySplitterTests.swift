import CoreDataPredicates
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("Queries divided between SQL and memory")
struct QuerySplitterTests {
    private let age = compare(key("age"), .greaterThan, constant(.integer(5)))
    private let name = compare(key("name"), .equalTo, constant(.string("x")))
    private let block = PredicateNode.block(PredicateBlock { _, _ in true })

    private func split(
        _ predicate: PredicateNode?, sort: [SortKey] = [], of entity: String = "Person"
    ) throws -> QuerySplit {
        let query = FetchQuery(
            entity: CompanyModel.index(entity), predicate: predicate, sort: sort, limit: 3, offset: 2)
        return try QuerySplitter(schema: CompanyModel.schema, dialect: SQLiteDialect()).split(query)
    }

    private func not(_ predicate: PredicateNode) -> PredicateNode { .compound(.not, [predicate]) }

    @Test("A query that SQL can express completely is not divided and keeps its window")
    func whole() throws {
        let query = try split(.compound(.and, [age, name]))
        #expect(query.predicate == nil)
        #expect(query.sort.isEmpty)
        #expect(query.stored.limit == 3)
        #expect(query.stored.offset == 2)
        #expect(query.stored.predicate == .compound(.and, [age, name]))
    }

    @Test("A divided AND leaves its other part and the window to memory")
    func conjunctions() throws {
        let query = try split(.compound(.and, [age, .compound(.and, [block, name])]))
        #expect(query.stored.predicate == .compound(.and, [age, name]))
        #expect(query.predicate == block)
        #expect(query.stored.limit == 0)
        #expect(query.stored.offset == 0)
        #expect(try split(block).stored.predicate == nil)
    }

    @Test("NOT moves inwards to make parts")
    func negations() throws {
        let query = try split(not(.compound(.or, [age, block])))
        #expect(query.stored.predicate == not(age))
        #expect(query.predicate == not(block))
        let twice = try split(not(not(.compound(.and, [age, block]))))
        #expect(twice.stored.predicate == age)
        #expect(twice.predicate == block)
    }

    @Test("For an OR, SQL tests only the conditions that must hold in any case")
    func disjunctions() throws {
        let either = PredicateNode.compound(.or, [.compound(.and, [age, block]), name])
        let query = try split(either)
        #expect(query.stored.predicate == .compound(.or, [age, name]))
        #expect(query.predicate == either)
        let open = PredicateNode.compound(.or, [age, block])
        #expect(try split(open).stored.predicate == nil)
        #expect(try split(open).predicate == open)
        let inner = not(.compound(.and, [.compound(.or, [not(age), block]), name]))
        #expect(try split(inner).stored.predicate == .compound(.or, [not(not(age)), not(name)]))
    }

    @Test("A comparator sorts in memory, and so do all other sort keys")
    func sorting() throws {
        let keys = [
            SortKey(keys: ["age"]),
            SortKey(keys: ["name"], collation: .comparator(ComparatorBlock { _, _ in 0 })),
        ]
        let query = try split(age, sort: keys)
        #expect(query.sort == keys)
        #expect(query.stored.sort.isEmpty)
        #expect(query.stored.predicate == age)
        #expect(query.predicate == nil)
        #expect(query.stored.limit == 0)
    }

    @Test("External binary values are compared in memory, except with nil or short values")
    func bytes() throws {
        let (short, long) = (Data(count: 100_000), Data(count: 100_001))
        let photo = key("photo")
        for stored in [
            compare(photo, .equalTo, constant(.data(short))), compare(photo, .notEqualTo, constant(.null)),
            compare(photo, .in, constants([.data(short), .null])),
        ] {
            #expect(try split(stored).predicate == nil)
        }
        for remaining in [
            compare(photo, .equalTo, constant(.data(long))),
            compare(photo, .notEqualTo, constant(.data(long))),
            compare(photo, .in, constants([.data(short), .data(long)])), compare(photo, .equalTo, photo),
            compare(photo, .lessThan, constant(.data(short))),
        ] {
            let query = try split(.compound(.and, [age, remaining]))
            #expect(query.predicate == remaining)
            #expect(query.stored.predicate == age)
        }
        #expect(try split(age, sort: [SortKey(keys: ["photo"])]).sort.isEmpty)
    }

    @Test(
        "Unknown keys are errors in the part evaluated in memory, too",
        arguments: [
            ("nosuch", "keypath nosuch not found in entity Employee"),
            (
                "draft",
                "keypath draft leads to the transient property Employee.draft: the store has no values for it"
            ),
            ("boss.name.length", "keypath boss.name.length not found in entity Employee"),
        ])
    func badKeys(_ path: String, _ message: String) throws {
        let function = ExpressionNode.function(operand: key(path), name: "uncertain", arguments: [])
        let inSubquery = ExpressionNode.subquery(
            collection: key("reports"), variable: "r",
            predicate: compare(
                .function(operand: nil, name: "nosuch:", arguments: [key("r", path)]), .equalTo, key("age")))
        for expression in [function, inSubquery] {
            let error = #expect(throws: StoreError.self) {
                try split(compare(expression, .equalTo, constant(.integer(1))), of: "Employee")
            }
            #expect(error?.message == message)
        }
        #expect(throws: StoreError.self) {
            try split(
                nil,
                sort: [
                    SortKey(
                        keys: path.split(separator: ".").map(String.init),
                        collation: .comparator(ComparatorBlock { _, _ in 0 }))
                ], of: "Employee")
        }
    }
}
