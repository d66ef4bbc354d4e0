import CoreData
import Foundation

/// Swift predicates about sailors by seed, composed of nodes like the macro's.
struct RandomSwiftPredicates {
    private typealias Node = PredicateExpressions
    private typealias Condition = any StandardPredicateExpression<Bool>
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func next() -> Predicate<Sailor> {
        var generator = self
        let predicate = Predicate<Sailor> { sailor in generator.condition(about: sailor, depth: 3) }
        self = generator
        return predicate
    }

    private mutating func one<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random)! }

    private mutating func condition(about sailor: Node.Variable<Sailor>, depth: Int) -> Condition {
        switch depth == 0 ? 0 : Int.random(in: 0..<9, using: &random) {
        case 0, 1, 2: return leaf(about: sailor)
        case 3, 4:
            return and(condition(about: sailor, depth: depth - 1), condition(about: sailor, depth: depth - 1))
        case 5, 6:
            return or(condition(about: sailor, depth: depth - 1), condition(about: sailor, depth: depth - 1))
        case 7: return not(condition(about: sailor, depth: depth - 1))
        default:
            return choice(
                leaf(about: sailor), condition(about: sailor, depth: depth - 1),
                condition(about: sailor, depth: depth - 1))
        }
    }

    private func and(
        _ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>
    ) -> Condition { Node.build_Conjunction(lhs: left, rhs: right) }

    private func or(
        _ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>
    ) -> Condition { Node.build_Disjunction(lhs: left, rhs: right) }

    private func not(_ wrapped: some StandardPredicateExpression<Bool>) -> Condition {
        Node.build_Negation(wrapped)
    }

    private func choice(
        _ test: some StandardPredicateExpression<Bool>, _ first: some StandardPredicateExpression<Bool>,
        _ second: some StandardPredicateExpression<Bool>
    ) -> Condition { Node.build_Conditional(test, first, second) }

    private mutating func leaf(about sailor: Node.Variable<Sailor>) -> Condition {
        let age = Int64(one([-8, 0, 1, 5, 7, 30]))
        let word = one(["a", "o", "Zo", "", "_", "bob"])
        let wanted: String? = one([nil, "Ann", "", "bob"])
        let truth = one([true, false])
        let operators: [Node.ComparisonOperator] = [
            .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
        ]
        let comparison = one(operators)
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            return Node.build_Comparison(
                lhs: Node.build_KeyPath(root: sailor, keyPath: \.age), rhs: Node.build_Arg(age),
                op: comparison)
        case 1:
            return Node.build_Equal(
                lhs: Node.build_KeyPath(root: sailor, keyPath: \.nick), rhs: Node.build_Arg(wanted))
        case 2:
            return Node.build_NotEqual(
                lhs: Node.build_KeyPath(root: sailor, keyPath: \.nick),
                rhs: Node.build_flatMap(Node.build_KeyPath(root: sailor, keyPath: \.mentor)) {
                    Node.build_KeyPath(root: $0, keyPath: \.nick)
                })
        case 3:
            return Node.build_contains(
                Node.build_KeyPath(root: sailor, keyPath: \.name), Node.build_Arg(word))
        case 4:
            return Node.build_NilCoalesce(
                lhs: Node.build_flatMap(Node.build_KeyPath(root: sailor, keyPath: \.mentor)) {
                    Node.build_Comparison(
                        lhs: Node.build_KeyPath(root: $0, keyPath: \.age), rhs: Node.build_Arg(age),
                        op: comparison)
                }, rhs: Node.build_Arg(truth))
        case 5:
            return Node.build_contains(Node.build_KeyPath(root: sailor, keyPath: \.pupils)) {
                Node.build_Comparison(
                    lhs: Node.build_KeyPath(root: $0, keyPath: \.age),
                    rhs: Node.build_KeyPath(root: sailor, keyPath: \.age), op: comparison)
            }
        case 6:
            return Node.build_allSatisfy(Node.build_KeyPath(root: sailor, keyPath: \.pupils)) {
                Node.build_Equal(
                    lhs: Node.build_KeyPath(root: $0, keyPath: \.isTrained),
                    rhs: Node.build_Arg(Optional(truth)))
            }
        case 7:
            return Node.build_NilCoalesce(
                lhs: Node.build_KeyPath(root: sailor, keyPath: \.isTrained), rhs: Node.build_Arg(truth))
        case 8:
            return Node.build_Comparison(
                lhs: Node.build_Arithmetic(
                    lhs: Node.build_KeyPath(root: sailor, keyPath: \.age),
                    rhs: Node.build_KeyPath(root: sailor, keyPath: \.number),
                    op: one([.add, .subtract, .multiply])),
                rhs: Node.build_Arg(age), op: comparison)
        case 9:
            return Node.build_Equal(
                lhs: Node.build_flatMap(Node.build_KeyPath(root: sailor, keyPath: \.nick)) {
                    Node.build_starts(
                        $0, with: Node.build_Arg(word))
                }, rhs: Node.build_Arg(Optional(truth)))
        case 10:
            return Node.build_Comparison(
                lhs: Node.build_NilCoalesce(
                    lhs: Node.build_KeyPath(root: sailor, keyPath: \.share), rhs: Node.build_Arg(0.4)),
                rhs: Node.build_Arg(0.3), op: comparison)
        default:
            return Node.build_Equal(
                lhs: Node.build_KeyPath(root: sailor, keyPath: \.isActive),
                rhs: Node.build_Equal(
                    lhs: Node.build_KeyPath(root: sailor, keyPath: \.ship),
                    rhs: Node.build_NilLiteral()))
        }
    }
}
