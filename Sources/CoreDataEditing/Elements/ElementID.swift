/// The number of an element in an editor, by which it is found whatever its name is. It is given when the
/// model is opened or the element is made, used once, and never written.
package struct ElementID: Sendable, Hashable, Comparable {
    package let number: Int

    package init(_ number: Int) { self.number = number }

    package static func < (one: ElementID, other: ElementID) -> Bool { one.number < other.number }
}

/// A source of IDs that were never used before.
struct ElementNumbering: Sendable {
    private var last = 0

    mutating func next() -> ElementID {
        last += 1
        return ElementID(last)
    }
}
