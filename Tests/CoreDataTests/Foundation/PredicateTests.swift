import CoreData
import Dispatch
import Synchronization
import Testing

private typealias NSExpression = CoreData.NSExpression
private typealias NSComparisonPredicate = CoreData.NSComparisonPredicate
private typealias NSCompoundPredicate = CoreData.NSCompoundPredicate

@Suite("Predicates as apps write them")
struct PredicateTests {
    private let ann: NSDictionary = [
        "name": "Ann", "age": 30, "born": Date(timeIntervalSinceReferenceDate: 1000), "tags": ["a", "b"],
    ]

    @Test("A format is a comparison or compound predicate that prints as Apple's")
    func formats() throws {
        let simple = NSPredicate(format: "name ==[c] %@ ", "ANN")
        let comparison = try #require(simple as? NSComparisonPredicate)
        #expect(comparison.leftExpression.keyPath == "name")
        #expect(comparison.rightExpression.constantValue as? String == "ANN")
        #expect(comparison.options == .caseInsensitive)
        #expect(comparison.predicateOperatorType == .equalTo)
        #expect(simple.text == #"name ==[c] "ANN""#)
        let compound = NSPredicate(format: "%K > %d AND (name CONTAINS 'n' OR NOT age == %f)", "age", 3, 2.5)
        #expect((compound as? NSCompoundPredicate)?.subpredicates.count == 2)
        #expect(compound.text == #"age > 3 AND (name CONTAINS "n" OR (NOT age == 2.5))"#)
        #expect(simple.evaluate(with: ann))
        #expect(compound.evaluate(with: ann))
        #expect(NSPredicate(format: "TRUEPREDICATE") == NSPredicate(value: true))
        #expect(NSPredicate(format: "a == 1") == NSPredicate(format: "a = 1"))
    }

    @Test("One predicate evaluates objects of several classes, boxed or not, and other values")
    @MainActor
    func severalClasses() throws {
        let stack = try TestStack("A\n  n int64\nB\n  n double\n  s string\nC\n  n date")
        let (a, b, c) = (
            stack.insert("A", ["n": 5]), stack.insert("B", ["n": 5.5]),
            stack.insert("C", ["n": Date(timeIntervalSinceReferenceDate: 5)])
        )
        let nothing: NSManagedObject? = nil
        for predicate in [NSPredicate(format: "n > 4"), NSPredicate(format: "n > 4 AND n < 6")] {
            for _ in 0..<2 {
                #expect(predicate.evaluate(with: a))
                #expect(predicate.evaluate(with: b))
                #expect(!predicate.evaluate(with: c))
                #expect(predicate.evaluate(with: ["n": 5]))
                #expect(!predicate.evaluate(with: ["n": 4]))
                #expect(predicate.evaluate(with: Optional(b) as Any))
                #expect(predicate.evaluate(with: b as NSObject))
                #expect(predicate.evaluate(with: b as AnyObject))
                #expect(!predicate.evaluate(with: nothing as Any))
                #expect(!predicate.evaluate(with: nil))
            }
            #expect([a, b, c].filtered(using: predicate) == [a, b])
        }
    }

    @Test("Threads that evaluate a new predicate at the same time get the same result")
    func firstAsked() {
        for number in 0..<200 {
            nonisolated(unsafe) let predicates = [
                NSPredicate(format: "name BEGINSWITH %@", "\(number)"),
                NSPredicate(format: "name == %@ OR name == 'x'", "\(number)"),
            ]
            let wrong = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                for predicate in predicates {
                    if !predicate.evaluate(with: ["name": "\(number)"])
                        || predicate.evaluate(with: ["name": "y"])
                    {
                        wrong.add(1, ordering: .relaxed)
                    }
                }
            }
            #expect(wrong.load(ordering: .relaxed) == 0)
        }
    }

    @Test("Every kind of object can be an argument for %@")
    func arguments() {
        let date = Date(timeIntervalSinceReferenceDate: 1000)
        let uuid = UUID()
        #expect(NSPredicate(format: "born == %@", date as any CVarArg).evaluate(with: ann))
        #expect(NSPredicate(format: "born == %@", date as NSDate).evaluate(with: ann))
        #expect(NSPredicate(format: "age IN %@", [1, 30]).evaluate(with: ann))
        #expect(NSPredicate(format: "name IN %@", Set(["Ann"])).evaluate(with: ann))
        #expect(NSPredicate(format: "age == %@", NSNumber(value: 30)).evaluate(with: ann))
        #expect(NSPredicate(format: "SELF == %@", uuid as any CVarArg).evaluate(with: uuid))
        #expect(NSPredicate(format: "missing == %@", NSNull()).evaluate(with: ann))
        #expect(NSPredicate(format: "age == %@", NSExpression(forKeyPath: "age")).evaluate(with: ann))
        #expect(NSPredicate(format: "age BETWEEN %@", argumentArray: [[1, 40]]).evaluate(with: ann))
        #expect(NSPredicate(format: "ANY tags == %@", argumentArray: ["b"]).evaluate(with: ann))
    }

    @Test("C argument lists are read by their specifiers, from registers and from the stack")
    func argumentLists() {
        let date = Date(timeIntervalSinceReferenceDate: 1000)
        let values: [any CVarArg] = [
            "age", 30, "name", "Ann", date, Int32(-5), 2.5, [30, 31], Int64.max, UInt32(7), 1.5, 8,
        ]
        let format =
            "%K == %ld AND %K == %@ AND born == %@ AND -5 == %d AND 2.5 == %f AND age IN %@ "
            + "AND %lld > 1 AND 7 == %u AND 1.5 == %lf AND 8 == %ld"
        let predicate = withVaList(values) { NSPredicate(format: format, arguments: $0) }
        #expect(predicate.evaluate(with: ann), "\(predicate.text)")
    }

    @Test("An invalid format throws an error that explains what is wrong")
    func validating() throws {
        #expect(throws: (any Error).self) { try NSPredicate(validating: "a ==") }
        #expect(try NSPredicate(validating: "age == %@", arguments: [30]).evaluate(with: ann))
    }

    @Test("Variables are given at evaluation or substituted before it")
    func variables() {
        let template = NSPredicate(format: "age > $MIN AND name == $NAME")
        #expect(template.evaluate(with: ann, substitutionVariables: ["MIN": 3, "NAME": "Ann"]))
        let filled = template.withSubstitutionVariables(["MIN": 30, "NAME": "Ann"])
        #expect(filled.text == #"age > 30 AND name == "Ann""#)
        #expect(!filled.evaluate(with: ann))
    }

    @Test("Constant predicates are equal and have the same hash, whatever their letter case")
    func constants() {
        let constants = ["TRUEPREDICATE", "truepredicate", "FALSEPREDICATE"].map { NSPredicate(format: $0) }
        #expect(constants[0] == constants[1])
        #expect(constants[0] != constants[2])
        #expect(Set(constants).count == 2)
    }

    @Test("Block predicates and built predicates combine with formats")
    func combinations() {
        let block = NSPredicate { object, _ in (object as? NSDictionary)?["age"] as? Int == 30 }
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [block, NSPredicate(format: "age > 3")])
        #expect(both.evaluate(with: ann))
        let made = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "age"),
            rightExpression: NSExpression(forConstantValue: 30), modifier: .direct, type: .lessThanOrEqualTo)
        #expect(made.evaluate(with: ann))
        #expect(made.text == "age <= 30")
        let selected = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "a"), rightExpression: NSExpression(forKeyPath: "b"),
            customSelector: "isEqual:")
        #expect(selected.customSelector == Selector("isEqual:"))
    }

    @Test("Plain objects have values for their stored properties")
    func plainObjects() {
        class Base: NSObject { var name = "x" }
        class Item: Base { var count = 3 }
        struct Pair { let a = 1 }
        #expect(NSPredicate(format: "name == 'x' AND count > 2").evaluate(with: Item()))
        #expect(NSPredicate(format: "a == 1").evaluate(with: Pair()))
        #expect([1, 2, 3].filtered(using: NSPredicate(format: "SELF > 1")) == [2, 3])
        #expect(Set(["a", "b"]).filtered(using: NSPredicate(format: "SELF == 'a'")) == ["a"])
    }

    @Test("Expressions have values, parts and descriptions")
    func expressions() {
        let sum = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "tags.length")])
        #expect(sum.expressionValue(with: ann, context: nil) as? Int == 2)
        #expect(sum.description == "sum:(tags.length)")
        #expect(NSExpression(format: "1 + 2 * %d", 3).expressionValue(with: nil, context: nil) as? Int == 7)
        let block = NSExpression(
            block: { object, arguments, _ in
                (arguments[0].constantValue as? Int ?? 0) + 1
            }, arguments: [NSExpression(forKeyPath: "age")])
        #expect(block.expressionValue(with: ann, context: nil) as? Int == 31)
        #expect(NSExpression(expressionType: .evaluatedObject) == NSExpression.expressionForEvaluatedObject())
        let context: NSMutableDictionary = ["x": 5]
        #expect(NSExpression(forVariable: "x").expressionValue(with: nil, context: context) as? Int == 5)
    }
}
