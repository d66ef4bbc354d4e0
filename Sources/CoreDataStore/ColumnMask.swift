/// A set of column numbers; entities may have more than 64.
package struct ColumnMask: Sendable, Hashable {
    private var words: [UInt64] = []

    package init() {}

    package init(_ columns: some Sequence<Int>) {
        for column in columns { insert(column) }
    }

    package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    package func contains(_ column: Int) -> Bool {
        let word = column >> 6
        return word < words.count && words[word] & (1 << UInt64(column & 63)) != 0
    }

    package mutating func insert(_ column: Int) {
        let word = column >> 6
        while words.count <= word { words.append(0) }
        words[word] |= 1 << UInt64(column & 63)
    }

    package mutating func remove(_ column: Int) {
        let word = column >> 6
        if word < words.count { words[word] &= ~(1 << UInt64(column & 63)) }
    }

    /// The members, ascending.
    package var columns: [Int] {
        var result: [Int] = []
        for (index, word) in words.enumerated() {
            var word = word
            while word != 0 {
                result.append(index * 64 + word.trailingZeroBitCount)
                word &= word - 1
            }
        }
        return result
    }
}
