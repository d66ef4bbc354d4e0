import CoreData
import Foundation
import Testing

private typealias NSExpression = CoreData.NSExpression

@Suite("Translation of Swift predicates and expressions")
@MainActor
struct SwiftPredicateTranslationTests {
    private let fleet: Fleet

    init() throws { fleet = try Fleet(seed: 20) }

    private func expectFailure(
        _ predicate: Predicate<Sailor>, node: String, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(NSPredicate(predicate) == nil, sourceLocation: location)
        do {
            let translated = try NSPredicate(translating: predicate)
            Issue.record("translated: \(translated.text)", sourceLocation: location)
        } catch {
            #expect(error.node == node, "\(error)", sourceLocation: location)
            #expect("\(error)".contains(node))
            #expect(error.localizedDescription.contains(node))
        }
    }

    @Test("An expression without translation is an error that names it; Apple's initializer gives nil")
    func failures() {
        expectFailure(#Predicate { $0.initials == "A" }, node: "KeyPath")
        expectFailure(#Predicate { $0.name.first == nil }, node: "KeyPath")
        let ages: [Int64] = [1, 2]
        expectFailure(#Predicate { _ in ages[0..<1].isEmpty }, node: "CollectionRangeSubscript")
        let isText = Predicate<Sailor> { sailor in
            let number = PredicateExpressions.build_KeyPath(root: sailor, keyPath: \.number)
            return PredicateExpressions.TypeCheck<_, String>(number)
        }
        expectFailure(isText, node: "TypeCheck")
        expectFailure(#Predicate { _ in ages.starts(with: [1]) }, node: "SequenceStartsWith")
    }

    @Test("Both initializers make a predicate for requests")
    func initializers() throws {
        let predicate = #Predicate<Sailor> { $0.age > 3 && $0.nick == nil }
        let translated = try #require(NSPredicate(predicate))
        #expect(translated == (try NSPredicate(translating: predicate)))
        #expect(translated.text == "age > 3 AND nick == nil")
        #expect(translated is CoreData.NSCompoundPredicate)
        #expect(NSPredicate(format: "age > 3 AND nick == nil") == translated)
    }

    @Test("Tests for nil are kept where they make a difference")
    func formats() throws {
        func format(_ predicate: Predicate<Sailor>) throws -> String {
            try NSPredicate(translating: predicate).text
        }
        #expect(
            try format(#Predicate { $0.mentor?.name.contains("x") ?? false }) == "mentor.name CONTAINS \"x\"")
        #expect(
            try format(#Predicate { !($0.mentor?.age == 3) }) == "mentor.age != 3")
        #expect(
            try format(#Predicate { $0.share.flatMap { $0 > 1 } != true }) == "share == nil OR share <= 1")
        #expect(
            try format(#Predicate { $0.pupils.contains { $0.pupils.isEmpty } })
                == "SUBQUERY(pupils, $element, $element.pupils.@count == 0).@count > 0")
    }

    @Test("Expressions are computed in SQL and in memory")
    func expressions() throws {
        try expectValues(#Expression<Sailor, Int64> { $0.age * 2 + 1 }, .integer64AttributeType)
        try expectValues(
            #Expression<Sailor, Int> { $0.pupils.filter { $0.age > 3 }.count }, .integer64AttributeType)
        try expectValues(#Expression<Sailor, String> { $0.nick ?? $0.name }, .stringAttributeType)
        try expectValues(#Expression<Sailor, Double> { $0.isActive ? $0.wage : 0 }, .doubleAttributeType)
        #expect(NSExpression(#Expression<Sailor, String> { $0.initials }) == nil)
        let isGrown = try NSExpression(translating: #Expression<Sailor, Bool> { $0.age > 7 })
        #expect(isGrown.expressionType == .conditional)
    }

    private func expectValues<Value: Equatable>(
        _ expression: Foundation.Expression<Sailor, Value>, _ type: NSAttributeType
    ) throws {
        let translated = try NSExpression(translating: expression)
        let expected = try fleet.sailors.map { try expression.evaluate($0) }
        #expect(
            fleet.sailors.map { translated.expressionValue(with: $0, context: nil) as? Value } == expected)
        let description = NSExpressionDescription()
        description.name = "value"
        description.expression = translated
        description.expressionResultType = type
        let request = NSFetchRequest<NSDictionary>(entityName: "Sailor")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [description]
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        #expect(try fleet.stack.context.fetch(request).map { $0["value"] as? Value } == expected)
    }

    @Test("Predicates of plain objects are evaluated in memory")
    func plainObjects() throws {
        final class Point: NSObject {
            let x: Int
            let label: String?

            init(_ x: Int, _ label: String?) { (self.x, self.label) = (x, label) }
        }
        let points = [Point(1, "a"), Point(5, nil), Point(7, "b")]
        let predicate = try NSPredicate(translating: #Predicate<Point> { $0.x > 3 && $0.label != nil })
        #expect(points.filtered(using: predicate).map(\.x) == [7])
        #expect(NSArray(array: points).filtered(using: predicate).count == 1)
    }
}
