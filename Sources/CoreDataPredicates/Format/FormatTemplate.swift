import CoreDataValues
import Synchronization

/// A format parsed once into a tree that can be used with any arguments, since programs use the same formats
/// repeatedly.
///
/// The parser examines an argument that is negated, cast or begins a path, and the value for `%K` becomes
/// part of a path. A format therefore has a tree only if each of its arguments is a whole side of a
/// comparison.
struct FormatTemplate: Sendable {
    /// The format, which is kept because a string with other scalars may equal it.
    private let format: String
    /// The tree with markers in place of the arguments; nil if the format has to be parsed with its
    /// arguments.
    private let predicate: PredicateNode?
    private let argumentCount: Int

    private init(_ format: String) {
        let specifiers = (try? FormatLexer.specifiers(of: format)) ?? ["%K"]
        let markers = specifiers.indices.map { ExpressionNode.variable("\(Self.mark)\($0)") }
        let predicate = specifiers.contains("%K") ? nil : try? FormatParser.parse(format, arguments: markers)
        self.format = format
        self.predicate = predicate.flatMap { $0.sides.filter(Self.isMarker) == markers ? $0 : nil }
        argumentCount = markers.count
    }

    /// The first character of a marker's name. No variable in a format begins with it.
    private static let mark = "%"

    private static func isMarker(_ expression: ExpressionNode) -> Bool {
        if case .variable(let name) = expression { name.hasPrefix(mark) } else { false }
    }

    // MARK: Arguments

    /// Returns the predicate that the parser would make of the format with these arguments; nil if only the
    /// parser can make it.
    func predicate(with arguments: [ExpressionNode]) -> PredicateNode? {
        guard let predicate, arguments.count >= argumentCount else { return nil }
        if argumentCount == 0 { return predicate }
        var rest = arguments[...]
        return Self.filled(predicate, &rest)
    }

    private static func filled(
        _ predicate: PredicateNode, _ arguments: inout ArraySlice<ExpressionNode>
    ) -> PredicateNode {
        switch predicate {
        case .constant, .block: return predicate
        case .compound(let logical, let operands):
            return .compound(logical, operands.map { filled($0, &arguments) })
        case .comparison(var comparison):
            if isMarker(comparison.left) { comparison.left = arguments.removeFirst() }
            if isMarker(comparison.right) { comparison.right = arguments.removeFirst() }
            return .comparison(comparison)
        }
    }

    // MARK: Known formats

    private static let known = Mutex<[String: FormatTemplate]>([:])
    private static let knownCapacity = 256

    static func of(_ format: String) -> FormatTemplate {
        if let template = known.withLock({ $0[format] }), template.format.hasSameBytes(as: format) {
            return template
        }
        let template = FormatTemplate(format)
        known.withLock { known in
            if known.count >= knownCapacity { known.removeAll() }
            known[format] = template
        }
        return template
    }
}

extension PredicateNode {
    /// The sides of the comparisons, from left to right.
    fileprivate var sides: [ExpressionNode] {
        switch self {
        case .constant, .block: []
        case .comparison(let comparison): [comparison.left, comparison.right]
        case .compound(_, let operands): operands.flatMap(\.sides)
        }
    }
}
