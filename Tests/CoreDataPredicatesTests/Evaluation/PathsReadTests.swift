import CoreDataPredicates
import CoreDataValues
import Testing

@Suite("Key paths that predicates depend on")
struct PathsReadTests {
    @Test("Comparisons of keys, constants and lists depend on the keys alone")
    func keys() {
        let comparison = compare(key("name"), .equalTo, string("x"))
        #expect(comparison.pathsRead == [["name"]])
        let list = compare(string("x"), .in, .aggregate([key("name"), key("home.street"), integer(1)]))
        #expect(list.pathsRead == [["name"], ["home", "street"]])
        #expect(compare(.evaluatedObject, .notEqualTo, constant(.null)).pathsRead == [])
        #expect(PredicateNode.constant(true).pathsRead == [])
        let compound = PredicateNode.compound(.or, [.compound(.not, [comparison]), list])
        #expect(compound.pathsRead == [["name"], ["name"], ["home", "street"]])
    }

    @Test(
        "Predicates with functions, variables, subqueries or methods may depend on any key",
        arguments: [
            call("now"), call("lowercase:", key("name")), .variable("x"),
            .keyPath(operand: .variable("x"), keys: ["a"]),
            .subquery(collection: key("orders"), variable: "o", predicate: .constant(true)),
            .aggregate([key("name"), call("now")]),
        ])
    func others(expression: ExpressionNode) {
        let comparison = compare(key("name"), .equalTo, expression)
        #expect(comparison.pathsRead == nil)
        #expect(
            PredicateNode.compound(.and, [compare(key("a"), .equalTo, key("b")), comparison]).pathsRead == nil
        )
        let method = ComparisonNode(key("name"), .customSelector, string("x"), selector: "isFine:")
        #expect(PredicateNode.comparison(method).pathsRead == nil)
    }

    @Test("A sort order depends only on its keys, unless a closure compares")
    func order() {
        let keys = [SortKey(keys: ["name"]), SortKey(keys: ["home", "street"], collation: .localized)]
        #expect(keys.pathsRead == [["name"], ["home", "street"]])
        let compared = SortKey(keys: ["age"], collation: .comparator(ComparatorBlock { _, _ in 0 }))
        #expect((keys + [compared]).pathsRead == nil)
    }
}
