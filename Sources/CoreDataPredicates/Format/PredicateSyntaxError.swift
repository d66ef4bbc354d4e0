/// The reason why a format cannot be parsed: the position, the expected text and the actual one.
package struct PredicateSyntaxError: Error, Hashable, CustomStringConvertible {
    /// The offset into the format, in Unicode scalars.
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
