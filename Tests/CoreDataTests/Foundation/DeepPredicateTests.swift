import Foundation
import Testing

@testable import CoreData

private typealias NSExpression = CoreData.NSExpression
private typealias NSComparisonPredicate = CoreData.NSComparisonPredicate
private typealias NSCompoundPredicate = CoreData.NSCompoundPredicate

/// Chains of compounds of one type work at any length; trees that are too deep are refused.
@Suite("Deep predicates made in code")
@MainActor
struct DeepPredicateTests {
    private let stack: TestStack

    init() throws {
        stack = try TaskStack.make()
        for rank in 0..<10 { stack.task("\(rank)", "g", rank: rank) }
        try stack.context.save()
    }

    nonisolated private static func term(_ rank: Int, _ operation: NSComparisonPredicate.Operator)
        -> NSPredicate
    {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "rank"),
            rightExpression: NSExpression(forConstantValue: rank), modifier: .direct, type: operation)
    }

    nonisolated private static let lengths = 3_000

    /// `rank != 1000 AND … AND rank != 3` and so on, each compound the first part of the next.
    nonisolated private static func conjunction(_ count: Int) -> NSPredicate {
        (1..<count).reduce(term(3, .notEqualTo)) { predicate, number in
            NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, term(number + 1_000, .notEqualTo)])
        }
    }

    nonisolated private static func disjunction(_ count: Int) -> NSPredicate {
        (1..<count).reduce(term(3, .equalTo)) { predicate, number in
            NSCompoundPredicate(orPredicateWithSubpredicates: [term(number + 1_000, .equalTo), predicate])
        }
    }

    nonisolated private static func negation(_ count: Int) -> NSPredicate {
        (0..<count).reduce(term(3, .equalTo)) { predicate, _ in
            NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
        }
    }

    /// Conjunctions of disjunctions of conjunctions, which nothing makes flat: true of 3 alone.
    nonisolated private static func alternation(_ count: Int) -> NSPredicate {
        (0..<count).reduce(term(3, .equalTo)) { predicate, number in
            number % 2 == 0
                ? NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, term(1_000, .notEqualTo)])
                : NSCompoundPredicate(orPredicateWithSubpredicates: [term(1_000, .equalTo), predicate])
        }
    }

    /// `rank + 1 + 1 …`, each sum the first part of the next.
    nonisolated private static func sum(_ count: Int) -> NSExpression {
        (0..<count).reduce(NSExpression(forKeyPath: "rank")) { sum, _ in
            NSExpression(forFunction: "add:to:", arguments: [sum, NSExpression(forConstantValue: 1)])
        }
    }

    enum Kind: CaseIterable {
        case conjunction, disjunction, evenNegation, oddNegation, alternation

        func predicate() -> NSPredicate {
            switch self {
            case .conjunction: DeepPredicateTests.conjunction(lengths)
            case .disjunction: DeepPredicateTests.disjunction(lengths)
            case .evenNegation: DeepPredicateTests.negation(lengths)
            case .oddNegation: DeepPredicateTests.negation(lengths + 1)
            case .alternation: DeepPredicateTests.alternation(180)
            }
        }

        /// Whether it is true of 3 alone, or of everything else.
        var isOfOne: Bool { self != .conjunction && self != .oddNegation }
    }

    @Test(
        "Deep predicates test objects, find rows, print, compare and can be copied", arguments: Kind.allCases)
    func work(kind: Kind) throws {
        let predicate = kind.predicate()
        let expected = kind.isOfOne ? 1 : 9
        let request = NSFetchRequest<NSManagedObject>(entityName: "Task")
        request.predicate = predicate
        let found = try stack.context.fetch(request)
        #expect(found.count == expected)
        #expect(try stack.context.count(for: request) == expected)
        #expect(found.allSatisfy { predicate.evaluate(with: $0) })
        #expect(try stack.fetch("Task").filter { predicate.evaluate(with: $0) }.count == expected)
        let same = kind.predicate()
        let copy = try #require(predicate.copy() as? NSPredicate)
        #expect(predicate == same)
        #expect(predicate.hash == same.hash)
        #expect(copy == predicate)
        #expect(predicate != Self.term(4, .equalTo))
        #expect(predicate.text == same.text)
        #expect(predicate.text.contains("rank "))
        let filled = predicate.withSubstitutionVariables(["x": 1])
        #expect(filled == predicate)
    }

    @Test("Long chains can be archived, and what they print as can be parsed")
    func archives() throws {
        for kind in Kind.allCases where kind != .alternation {
            let predicate = kind.predicate()
            let data = try NSKeyedArchiver.archivedData(
                withRootObject: predicate, requiringSecureCoding: true)
            let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
            #expect(read == predicate, "\(kind)")
            #expect(try NSPredicate(validating: predicate.text) == predicate, "\(kind)")
        }
        // A reader of archives and formats takes no tree that is as deep as one in memory may be.
        let deep = Self.alternation(180)
        let data = try NSKeyedArchiver.archivedData(withRootObject: deep, requiringSecureCoding: true)
        #expect(throws: (any Error).self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
        }
        #expect(throws: (any Error).self) { try NSPredicate(validating: deep.text) }
    }

    @Test("Short chains keep their form")
    func short() {
        let predicate = Self.conjunction(5)
        #expect(
            predicate.text
                == "(((rank != 3 AND rank != 1001) AND rank != 1002) AND rank != 1003) AND rank != 1004")
        #expect(Self.negation(3).text == "NOT (NOT (NOT rank == 3))")
    }

    @Test("Batches find rows by deep predicates, and refuse values nested too deep for SQL")
    func batches() throws {
        let update = NSBatchUpdateRequest(entityName: "Task")
        update.propertiesToUpdate = ["group": "h"]
        update.resultType = .updatedObjectsCountResultType
        for kind in Kind.allCases {
            update.predicate = kind.predicate()
            let result = try stack.context.execute(update) as? NSBatchUpdateResult
            #expect(result?.result as? Int == (kind.isOfOne ? 1 : 9), "\(kind)")
        }
        update.propertiesToUpdate = ["rank": Self.sum(180)]
        let error = #expect(throws: NSError.self) { try stack.context.execute(update) }
        let reason = "SQL cannot nest conditions and expressions that deep"
        #expect(error?.localizedFailureReason?.contains(reason) == true, "\(String(describing: error))")
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Task")
        for (kind, count) in [(Kind.alternation, 1), (.conjunction, 9)] {
            request.predicate = kind.predicate()
            let delete = NSBatchDeleteRequest(fetchRequest: request)
            delete.resultType = .resultTypeCount
            #expect((try stack.context.execute(delete) as? NSBatchDeleteResult)?.result as? Int == count)
        }
    }

    @Test("Predicates of Foundation's own class are accepted, too")
    func foundations() throws {
        let predicate = (1..<180).reduce(Self.term(3, .equalTo)) { predicate, number in
            Foundation.NSCompoundPredicate(
                orPredicateWithSubpredicates: [predicate, Self.term(number + 1_000, .equalTo)])
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Task")
        request.predicate = predicate
        #expect(try stack.context.count(for: request) == 1)
    }

    @Test("Deeper trees trap with a message that says what to do")
    func tooDeep() async {
        let predicate = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = DeepPredicateTests.alternation(201)
        }
        let text = String(decoding: predicate?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("more than 200 levels"), "\(text)")
        #expect(text.contains("into one compound predicate"), "\(text)")
        let expression = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = DeepPredicateTests.sum(201)
        }
        let other = String(decoding: expression?.standardErrorContent ?? [], as: UTF8.self)
        #expect(other.contains("more than 200 levels"), "\(other)")
        #expect(other.contains("Evaluate inner ones first"), "\(other)")
    }

    @Test("Expressions that are nearly too deep have values")
    func expressions() throws {
        let sum = Self.sum(180)
        let predicate = NSComparisonPredicate(
            leftExpression: sum, rightExpression: NSExpression(forConstantValue: 185), modifier: .direct,
            type: .equalTo)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Task")
        request.predicate = predicate
        #expect(try stack.context.fetch(request).map(TaskStack.title) == ["5"])
        #expect(sum == (sum.copy() as? NSExpression))
        #expect(sum.hash != 0)
        #expect(sum.description.contains("rank"))
    }
}
