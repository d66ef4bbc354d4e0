/// A comparison of texts with a constant, which reads their UTF-8 in place.
///
/// It is not copyable, so that using it does not retain the text it searches for.
struct TextTest: ~Copyable {
    private enum Relation {
        case equal, notEqual, contains, beginsWith, endsWith
    }

    private let relation: Relation
    private let needle: FoldedNeedle

    /// Makes the test of a comparison; nil for a comparison that cannot be decided by bytes.
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
