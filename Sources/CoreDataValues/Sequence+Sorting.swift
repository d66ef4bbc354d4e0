/// Sorting by keys, for what is sorted rarely: models, plans of migrations, descriptions.
///
/// A call of the standard library's `sorted(by:)` has 4 to 10 KB of code, since the compiler writes the algorithm
/// anew for each comparison. These sort numbers of elements instead, by one algorithm for all. What is generic about
/// them is inlined: making generic types while a program starts takes it longer than sorting.
extension Sequence {
    /// Returns the elements in the order of their keys. Elements with equal keys stay in their order.
    @inlinable @inline(__always)
    package func sorted<Key: Comparable>(by key: (Element) -> Key) -> [Element] {
        let elements = Array(self)
        return order(of: elements.count) { key(elements[$0]) < key(elements[$1]) }.map { elements[$0] }
    }

    /// Returns the elements in the order of the code points of their texts. Elements with equal texts stay in
    /// their order.
    @inlinable @inline(__always)
    package func sorted(byCodePointsOf text: (Element) -> String) -> [Element] {
        let elements = Array(self)
        return order(of: elements.count) { text(elements[$0]).precedesByCodePoint(text(elements[$1])) }
            .map { elements[$0] }
    }
}

/// Returns the numbers of so many elements in their order.
@usableFromInline
func order(of count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
    (0..<count).sorted(by: precedes)
}
