import CoreDataPredicates
import CoreDataValues
import Foundation
import Testing

@Suite("Printing and parsing trees")
struct RoundTripTests {
    @Test("A random tree that is printed and parsed is equal to itself", arguments: 0..<50)
    func roundTrip(seed: UInt64) throws {
        var trees = TreeGenerator(seed: seed)
        for _ in 0..<40 {
            let tree = trees.predicate(depth: 4)
            let text = NodePrinter.format(tree)
            #expect(try FormatParser.predicate(text) == tree, "\(text)")
        }
    }
}

/// Random trees of the shapes that formats can express.
private struct TreeGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    private mutating func next(_ limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(limit))
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(elements.count)] }

    mutating func predicate(depth: Int) -> PredicateNode {
        switch depth == 0 ? next(6) : next(10) {
        case 0: return .constant(next(2) == 0)
        case 6: return .compound(.not, [predicate(depth: depth - 1)])
        case 7, 8, 9:
            let operands = (0..<(2 + next(2))).map { _ in predicate(depth: depth - 1) }
            return .compound(pick([.and, .or]), operands)
        default:
            let relation = pick([
                ComparisonOperator.lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo,
                .equalTo,
                .notEqualTo, .matches, .like, .beginsWith, .endsWith, .in, .contains, .between,
            ])
            return compare(
                expression(depth: depth), relation, expression(depth: depth),
                modifier: pick([.direct, .direct, .any, .all]),
                options: ComparisonOptions(rawValue: UInt(next(16))))
        }
    }

    private mutating func expression(depth: Int) -> ExpressionNode {
        if depth == 0 || next(3) == 0 { return leaf() }
        switch next(10) {
        case 0, 1, 2:
            let name = pick(FunctionName.infix.flatMap { $0.values.sorted() })
            return call(name, expression(depth: depth - 1), expression(depth: depth - 1))
        case 3: return .aggregate((0..<next(3)).map { _ in expression(depth: depth - 1) })
        case 4:
            return .subquery(
                collection: expression(depth: depth - 1), variable: "x",
                predicate: predicate(depth: depth - 1))
        case 5:
            return .conditional(
                predicate(depth: depth - 1), expression(depth: depth - 1), expression(depth: depth - 1))
        case 6: return call(pick(["sum:", "onesComplement:", "canonical:"]), expression(depth: depth - 1))
        case 7:
            let index = pick([integer(2), call("FIRST"), call("SIZE"), string("k")])
            return call("objectFrom:withIndex:", expression(depth: depth - 1), index)
        case 8: return path(expression(depth: depth - 1))
        default:
            let (left, right) = (expression(depth: depth - 1), expression(depth: depth - 1))
            return pick([.unionSet(left, right), .intersectSet(left, right), .minusSet(left, right)])
        }
    }

    private mutating func path(_ operand: ExpressionNode) -> ExpressionNode {
        let keys = ["a", "größe", "in", "@count", "FIRST", "_x1", "cast", "none"]
        return operand.appending((0...next(2)).map { _ in pick(keys) })
    }

    private mutating func leaf() -> ExpressionNode {
        switch next(8) {
        case 0: .evaluatedObject
        case 1: .variable("name")
        case 2: integer(Int64(next(2000)) - 1000)
        case 3: constant(.double(Double(next(1000)) / 8 - 60.0625))
        case 4: string(pick(["", "it's", "say \"hi\"", "back\\slash", "tab\t\n", "日本", "%@ %K"]))
        case 5: constant(.date(Date(timeIntervalSinceReferenceDate: Double(next(100_000)) / 7)))
        case 6: constant(pick([.null, .integer(.min), .integer(.max)]))
        default: path(.evaluatedObject)
        }
    }
}
