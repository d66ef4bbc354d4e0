/// Why a format is no predicate or expression: where, what would have fitted, and what stands there.
package struct PredicateSyntaxError: Error, Hashable, CustomStringConvertible {
    /// Offset into the format, in Unicode scalars.
    package let position: Int
    package let expected: String
    package let found: String

    package init(position: Int, expected: String, found: String) {
        self.position = position
        self.expected = expected
        self.found = found
    }

    package var description: String { "expected \(expected) at position \(position), found \(found)" }
}
