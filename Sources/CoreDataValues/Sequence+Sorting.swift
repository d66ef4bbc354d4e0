/// Sorting by keys, for what is sorted rarely: models, plans of migrations, descriptions.
///
/// A call of the standard library's `sorted(by:)` has 4 to 10 KB of code, since the compiler writes the algorithm
/// anew for each comparison. These sort numbers of elements instead, by one algorithm for all.
extension Sequence {
    /// Returns the elements in the order of their keys. Elements with equal keys stay in their order.
    package func sorted<Key: Comparable>(by key: (Element) -> Key) -> [Element] {
        let elements = Array(self)
        let keys = elements.map(key)
        return indices(of: keys.count) { keys[$0] < keys[$1] }.map { elements[$0] }
    }

    /// Returns the elements in the order of the code points of their texts. Elements with equal texts stay in
    /// their order.
    package func sorted(byCodePointsOf text: (Element) -> String) -> [Element] {
        let elements = Array(self)
        let texts = elements.map(text)
        return indices(of: texts.count) { texts[$0].precedesByCodePoint(texts[$1]) }.map { elements[$0] }
    }
}

/// Returns the indices up to a count in an order.
@inline(never)
private func indices(of count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
    (0..<count).sorted(by: precedes)
}
