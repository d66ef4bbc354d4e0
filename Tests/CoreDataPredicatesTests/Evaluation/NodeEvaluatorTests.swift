import CoreDataPredicates
import CoreDataValues
import Foundation
import Testing

@Suite("Predicates over objects in memory")
struct NodeEvaluatorTests {
    private func matches(
        _ format: String,
        _ arguments: [ExpressionNode] = [],
        _ object: Person = People.ann,
        variables: [String: ExpressionValue] = [:]
    ) throws -> Bool {
        let predicate = try FormatParser.predicate(format, arguments: arguments)
        return try NodeEvaluator(predicate).matches(.object(object), variables: variables)
    }

    private func evaluate(_ format: String, _ object: Person = People.ann) throws -> ExpressionValue {
        try ExpressionEvaluator(FormatParser.expression(format)).value(for: .object(object))
    }

    @Test(
        "Every kind of condition on one object has the expected result",
        arguments: [
            // Numbers are compared by value.
            "age == 30", "age == 30.0", "age > 29.5", "age >= 30", "age < 31", "age <= 30", "age != 31",
            "height > 1", "budget == 12.5", "budget > 12", "isActive == YES", "isActive == 1",
            "age BETWEEN {30, 40}", "NOT age BETWEEN {31, 40}",
            // Null equals null and differs from values.
            "missing == nil", "nil == missing", "name != nil", "missing != 5", "NOT missing < 5",
            "NOT missing > 5", "NOT missing == 5", "NOT missing BETWEEN {1, 2}", "NOT missing CONTAINS 'a'",
            // Strings.
            "name == 'Ann Éclair'", "name ==[c] 'ANN ÉCLAIR'", "name ==[cd] 'ann eclair'",
            "NOT name == 'ann éclair'", "name BEGINSWITH 'Ann'", "name BEGINSWITH[c] 'ann é'",
            "name ENDSWITH 'clair'", "name ENDSWITH[d] 'Eclair'", "name CONTAINS 'n É'",
            "name CONTAINS[cd] 'N E'", "NOT name CONTAINS ''", "NOT name BEGINSWITH ''", "'n' IN name",
            "name LIKE 'Ann*'", "name LIKE '?nn*r'", "name LIKE[cd] '*ECL?IR'", "NOT name LIKE 'Ann'",
            "name MATCHES 'Ann .+'", "NOT name MATCHES 'Ann'", "name MATCHES[c] 'ann.*'",
            "name MATCHES[cd] 'ann eclair|x'", "name < 'B'", "name <[c] 'b'", "name.length == 10",
            // Lists.
            "age IN {1, 30}", "NOT age IN {1, 2}", "age IN {1, 2, 3, 4, 5, 6, 7, 8, 9, 30}",
            "name IN[cd] {'x', 'ann eclair'}", "missing IN {nil, 1}", "{1, 30} CONTAINS age", "NOT age IN {}",
            // Collections.
            "ANY cars.color == 'red'", "NOT ANY cars.color == 'green'", "ALL cars.price > 50",
            "NOT ALL cars.price > 150", "NONE cars.price > 250", "ALL empty.price > 1",
            "NOT ANY empty.price > 1",
            "cars.@count == 2", "cars.@sum.price == 350", "cars.@avg.price == 175", "cars.@min.price == 100",
            "cars.@max.price == 250", "cars.@distinctUnionOfObjects.color.@count == 2", "empty.@count == 0",
            "empty.@sum.price == 0", "empty.@max.price == nil", "missing.@count == 0", "'red' IN cars.color",
            "SUBQUERY(cars, $c, $c.price > 150).@count == 1",
            "SUBQUERY(cars, $c, $c.price > 150 AND $c.color == 'blue').@max.price == 250",
            "orderedCars[0].color == 'red'", "orderedCars[LAST].color == 'blue'", "orderedCars[SIZE] == 2",
            "ANY cars.color IN {'red', 'x'}", "cars.color == {'blue', 'red'}",
            // Compounds.
            "TRUEPREDICATE", "NOT FALSEPREDICATE", "age == 30 AND NOT age == 31 AND isActive == 1",
            "age == 1 OR age == 2 OR age == 30", "(age == 1 OR age == 30) AND isActive == TRUE",
            // Arithmetic and functions.
            "age + 1 == 31", "age * 2 - 10 == 50", "7 / 2 == 3", "7.0 / 2 == 3.5", "2 ** 3 == 8",
            "(flags & 4) == 4", "(flags | 2) == 7", "(flags ^ 1) == 4", "1 << 3 == 8", "-age == -30",
            "~0 == -1",
            "modulus(7, 3) == 1", "abs(-3) == 3", "floor(1.7) == 1", "ceiling(1.2) == 2", "trunc(-1.7) == -1",
            "sqrt(9) == 3", "sum({1, 2, 3}) == 6", "max(1, 5, 3) == 5", "average({1, 2}) == 1.5",
            "median({1, 9, 2}) == 2", "count({1, 2}) == 2", "stddev({2, 2}) == 0", "mode({1, 2, 2}) == 2",
            "uppercase('aé') == 'AÉ'", "lowercase('AÉ') == 'aé'", "canonical(name) == 'ann eclair'",
            "length('abc') == 3", "born < now()", "CAST('5', 'NSNumber') == 5", "CAST(5, 'NSString') == '5'",
            "born == CAST(1000, 'NSDate')", "born + 10 == CAST(1010, 'NSDate')",
            "TERNARY(age > 18, 'adult', 'child') == 'adult'", "noindex(age) == 30", "missing + 1 == nil",
            "{1, 2} UNION {2, 3} == {1, 2, 3}", "{1, 2} INTERSECT {2, 3} == {2}", "{1, 2} MINUS {2} == {1}",
            "max(cars.price) == 250", "1 / 0 == nil", "9007199254740993 > 9007199254740992.0",
        ])
    func holds(format: String) throws {
        #expect(try matches(format))
    }

    @Test("Key paths go through objects, and ANY through the objects of a collection")
    func paths() throws {
        #expect(try matches("boss.name BEGINSWITH 'Ann' AND boss.boss.name == nil", [], People.bob))
        #expect(try matches("ANY friends.cars.color == 'blue'", [], People.bob))
        let ann = ExpressionNode.constant(.object(People.ann))
        let row = constant(.reference(ObjectReference(entity: 1, key: 1)))
        #expect(try matches("boss == %@ AND boss == %@ AND %@ IN friends", [ann, row, ann], People.bob))
        #expect(try matches("SELF == %@", [row]))
        #expect(try matches("SELF IN %@", [.constant(people([People.ann, People.bob]))]))
    }

    @Test("Variables have the values given by substitution or at evaluation")
    func variables() throws {
        #expect(try matches("age == $AGE", variables: ["AGE": value(.integer(30))]))
        #expect(throws: EvaluationError.noValue(variable: "AGE")) { try matches("age == $AGE") }
        let predicate = try FormatParser.predicate(
            "age == $x AND SUBQUERY(cars, $x, $x.price > 1).@count == 2")
        let bound = predicate.substituting(["x": integer(30)])
        #expect(NodePrinter.format(bound) == "age == 30 AND SUBQUERY(cars, $x, $x.price > 1).@count == 2")
        #expect(try NodeEvaluator(bound).matches(.object(People.ann)))
    }

    @Test("Blocks receive the object as the app knows it")
    func blocks() throws {
        let block = PredicateBlock { object, variables in
            (object as? Person)?.number == 1 && variables?["n"] as? NSNumber == 7
        }
        let evaluator = try NodeEvaluator(.block(block))
        #expect(try evaluator.matches(.object(People.ann), variables: ["n": value(.integer(7))]))
        #expect(try !evaluator.matches(.object(People.bob), variables: ["n": value(.integer(7))]))
        let double = ExpressionBlock { _, arguments in ((arguments[0] as? NSNumber)?.intValue ?? 0) * 2 }
        let expression = ExpressionNode.block(double, arguments: [key("age")])
        #expect(try ExpressionEvaluator(expression).value(for: .object(People.ann)) == value(.integer(60)))
    }

    @Test("An expression that cannot be evaluated is an error that names the reason")
    func errors() throws {
        func error(_ format: String) -> EvaluationError? {
            do {
                _ = try matches(format)
                return nil
            } catch {
                return error as? EvaluationError
            }
        }
        #expect(error("name MATCHES '('") == .malformedPattern("("))
        #expect(error("age BETWEEN 5") == .malformedRange("5"))
        #expect(error("name + 1 == 2") == .notANumber("\"Ann Éclair\"", function: "add:to:"))
        #expect(error("name.foo == 1") == .unknownKey("foo", of: "\"Ann Éclair\""))
        #expect(
            error("distanceToLocation:fromLocation:(cars, cars) > 1")
                == .notANumber("{}", function: "distanceToLocation:fromLocation:"))
        #expect(error("FUNCTION(name, 'foo:', 1) == 1") == .unknownMethod("foo:", of: "\"Ann Éclair\""))
        #expect(error("FUNCTION(name, 'foo:') == 1") == .wrongArguments(0, of: "foo:"))
        #expect(error("born IN born")?.description.contains("IN needs a collection") == true)
    }
}
