extension Range<Int> {
    /// The stretches in which a key stays the same.
    @inlinable @inline(__always)
    package func runs<Key: Equatable>(by key: (Int) -> Key) -> [(key: Key, indices: Range<Int>)] {
        guard !isEmpty else { return [] }
        var result: [(key: Key, indices: Range<Int>)] = []
        var (start, current) = (lowerBound, key(lowerBound))
        for index in dropFirst() {
            let next = key(index)
            guard next != current else { continue }
            result.append((current, start..<index))
            (start, current) = (index, next)
        }
        result.append((current, start..<upperBound))
        return result
    }
}
