/// A comparison of texts with a constant one, run on their UTF-8 where they lie.
///
/// Not copyable, so that it is asked without what it looks for being retained.
struct TextTest: ~Copyable {
    private enum Relation {
        case equal, notEqual, contains, beginsWith, endsWith
    }

    private let relation: Relation
    private let needle: FoldedNeedle

    /// Nil for what bytes do not tell.
    init?(_ operator: ComparisonOperator, _ constant: String, options: ComparisonOptions) {
        guard !options.contains(.localeSensitive) else { return nil }
        switch `operator` {
        case .equalTo: relation = .equal
        case .notEqualTo: relation = .notEqual
        case .contains: relation = .contains
        case .beginsWith: relation = .beginsWith
        case .endsWith: relation = .endsWith
        default: return nil
        }
        needle = FoldedNeedle(constant, options: options)
    }

    func holds(for text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch relation {
        case .equal: StringComparison.equals(text, needle)
        case .notEqual: !StringComparison.equals(text, needle)
        case .contains: StringComparison.contains(text, needle)
        case .beginsWith: StringComparison.hasPrefix(text, needle)
        case .endsWith: StringComparison.hasSuffix(text, needle)
        }
    }

    var holdsForNull: Bool { relation == .notEqual }
}
