import CoreData
import Glibc
import Testing

private typealias NSExpression = CoreData.NSExpression
private typealias NSComparisonPredicate = CoreData.NSComparisonPredicate
private typealias NSCompoundPredicate = CoreData.NSCompoundPredicate

@Suite("Building expressions")
struct ExpressionTests {
    private let a = NSExpression(forKeyPath: "a")
    private let b = NSExpression(forConstantValue: 2)

    @Test("Every kind of expression has its type, parts and description")
    func kinds() {
        let condition = NSPredicate(format: "a == 1")
        let kinds: [(NSExpression, NSExpression.ExpressionType, String)] = [
            (NSExpression(forConstantValue: "x"), .constantValue, "\"x\""),
            (NSExpression(forConstantValue: nil), .constantValue, "nil"),
            (NSExpression.expressionForEvaluatedObject(), .evaluatedObject, "SELF"),
            (NSExpression(forVariable: "v"), .variable, "$v"),
            (NSExpression(forKeyPath: "a.b"), .keyPath, "a.b"),
            (NSExpression(forFunction: "sum:", arguments: [a]), .function, "sum:(a)"),
            (
                NSExpression(forFunction: a, selectorName: "x:", arguments: [b]), .function,
                "FUNCTION(a, \"x:\", 2)"
            ),
            (NSExpression(forAggregate: [a, b]), .aggregate, "{a, 2}"),
            (NSExpression(forUnionSet: a, with: b), .unionSet, "a UNION 2"),
            (NSExpression(forIntersectSet: a, with: b), .intersectSet, "a INTERSECT 2"),
            (NSExpression(forMinusSet: a, with: b), .minusSet, "a MINUS 2"),
            (
                NSExpression(forSubquery: a, usingIteratorVariable: "x", predicate: condition), .subquery,
                "SUBQUERY(a, $x, a == 1)"
            ),
            (
                NSExpression(forConditional: condition, trueExpression: a, falseExpression: b), .conditional,
                "TERNARY(a == 1, a, 2)"
            ),
            (NSExpression.expressionForAnyKey(), .anyKey, "ANYKEY"),
        ]
        for (expression, type, text) in kinds {
            #expect(expression.expressionType == type)
            #expect(expression.description == text)
            #expect(NSExpression(format: text) == expression)
            #expect(expression.copy() as? NSExpression == expression)
            #expect(NSExpression(format: text).hash == expression.hash)
        }
        #expect(kinds[4].0.keyPath == "a.b")
        #expect(kinds[3].0.variable == "v")
        #expect(kinds[0].0.constantValue as? String == "x")
        #expect(kinds[5].0.function == "sum:")
        #expect(kinds[5].0.arguments == [a])
        #expect(kinds[6].0.operand == a)
        #expect(kinds[6].0.function == "x:")
        #expect(kinds[6].0.arguments == [b])
        #expect(kinds[7].0.collection as? [NSExpression] == [a, b])
        #expect(kinds[8].0.left == a)
        #expect(kinds[9].0.right == b)
        #expect(kinds[10].0.left == a)
        #expect(kinds[11].0.collection as? NSExpression == a)
        #expect(kinds[11].0.variable == "x")
        #expect(kinds[11].0.predicate == condition)
        #expect(kinds[12].0.predicate == condition)
        #expect(kinds[12].0.true == a)
        #expect(kinds[12].0.false == b)
    }

    @Test("A collection of Swift is as an argument what the same collection of Foundation is")
    func swiftCollections() {
        func agree(_ swift: any CVarArg, _ foundation: NSObject, _ place: SourceLocation = #_sourceLocation) {
            #expect(
                NSPredicate(format: "a IN %@", swift) == NSPredicate(format: "a IN %@", foundation),
                sourceLocation: place)
        }
        agree([true, false], [true as NSNumber, false as NSNumber] as NSArray)
        agree([1.5 as Float], [1.5 as NSNumber] as NSArray)
        agree([UInt8.max], [255 as NSNumber] as NSArray)
        agree(["a", nil], ["a", NSNull()] as NSArray)
        agree([[1, 2], [3]], [[1, 2] as NSArray, [3] as NSArray] as NSArray)
        agree([Decimal(string: "0.1")!], [NSDecimalNumber(string: "0.1")] as NSArray)
        agree([URL(string: "x:y")!], [NSURL(string: "x:y")!] as NSArray)
        agree(Set(["a", "b"]), NSSet(array: ["a", "b"]))
        agree([["k": 1]], [["k": 1] as NSDictionary] as NSArray)
        agree(
            [NSNumber(value: 1), "b", Date(timeIntervalSince1970: 0)] as [Any],
            [1, "b", NSDate(timeIntervalSince1970: 0)] as NSArray)
    }

    @Test("Expressions are equal by value: numbers of any type, lists of any collection")
    func equality() {
        #expect(NSExpression(forConstantValue: 5) == NSExpression(forConstantValue: 5.0))
        #expect(NSPredicate(format: "a == %@", 1.5 as NSNumber) == NSPredicate(format: "a == 1.5"))
        #expect(NSPredicate(format: "a == YES") == NSPredicate(format: "a == 1"))
        #expect(NSPredicate(format: "a IN %@", [1, 2]) == NSPredicate(format: "a IN {1, 2}"))
        #expect(NSPredicate(format: "a IN %@", Set([1])).hash == NSPredicate(format: "a IN {1}").hash)
        #expect(NSPredicate(format: "a == 1") != NSPredicate(format: "a == 2"))
        #expect(NSPredicate(format: "a == 1 AND b == 1") != NSPredicate(format: "a == 1 OR b == 1"))
        #expect(NSPredicate(value: true) != NSPredicate(format: "a == 1"))
        #expect(
            NSPredicate(format: "a == 1 AND b == 1").copy() as? NSPredicate
                == NSPredicate(format: "a == 1 && b == 1"))
    }

    @Test("Whatever the arguments, a printed predicate parses to an equal one")
    func reading() {
        let date = Date(timeIntervalSinceReferenceDate: 12.5)
        let arguments: [[Any]] = [
            [1], [2.0], [2.25], [true], ["it's \"x\""], [date], [NSNull()], [[1, 2.0, "a"]],
            [Set(["b", "a"])],
            [Decimal(string: "1.5")!],
        ]
        for argument in arguments {
            let predicate = NSPredicate(format: "a IN %@ OR NOT b == 1", argumentArray: argument)
            #expect(NSPredicate(format: predicate.description) == predicate, "\(predicate)")
        }
    }

    @Test("Values come from dictionaries, arrays, plain objects and variables")
    func values() {
        let row: NSDictionary = ["a": 3, "list": [["n": 1], ["n": 4]]]
        #expect(NSExpression(format: "a * 2").expressionValue(with: row, context: nil) as? Int == 6)
        #expect(NSExpression(format: "list.@max.n").expressionValue(with: row, context: nil) as? Int == 4)
        #expect(NSExpression(format: "SELF[1]").expressionValue(with: [7, 8], context: nil) as? Int == 8)
        #expect(NSExpression(format: "$x + a").expressionValue(with: row, context: ["x": 4]) as? Int == 7)
        #expect(
            NSExpression(format: "FUNCTION(SELF, 'stringByAppendingString:', 'b')")
                .expressionValue(with: "a", context: nil) as? String == "ab")
        let text = strdup("x")
        defer { free(text) }
        #expect(NSPredicate(format: "a == %s", text!).description == "a == \"x\"")
    }

    @Test("Formats that an app receives throw an error for invalid syntax")
    func validating() throws {
        #expect(try NSExpression(validating: "1 + %@", arguments: [2]).description == "1 + 2")
        #expect {
            try NSExpression(validating: "1 + ")
        } throws: { "\($0)" == "expected an expression at position 4, found the end" }
        #expect(throws: (any Error).self) { try NSPredicate(validating: String(repeating: "(", count: 5000)) }
    }

    @Test("Predicates print as their format")
    func printing() {
        #expect(NSPredicate(format: "a = 1 and not b = 'x'").description == "a == 1 AND (NOT b == \"x\")")
        #expect("\(NSPredicate(format: "a == 1"))" == "a == 1")
        #expect("\(NSPredicate(format: "truepredicate"))" == "TRUEPREDICATE")
        let made = NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "a == 1"))
        #expect(made.description == "NOT a == 1")
        #expect(made == NSPredicate(format: "NOT a == 1"))
        #expect((made.copy() as? NSPredicate)?.description == "NOT a == 1")
        let foundation = Foundation.NSCompoundPredicate(orPredicateWithSubpredicates: [made, made])
        #expect(foundation.withSubstitutionVariables([:]).description == "(NOT a == 1) OR (NOT a == 1)")
    }
}
