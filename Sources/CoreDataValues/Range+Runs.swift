extension Range<Int> {
    /// Returns the runs of successive indices with equal keys.
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
