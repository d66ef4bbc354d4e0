/// A set of column numbers. Entities may have more than 64 columns.
package struct ColumnMask: Sendable, Hashable {
    /// The bits of the first 64 columns, kept apart so that most masks allocate nothing.
    private var first: UInt64 = 0
    private var rest: [UInt64] = []

    package init() {}

    package init(_ columns: some Sequence<Int>) {
        for column in columns { insert(column) }
    }

    package var isEmpty: Bool { first == 0 && rest.allSatisfy { $0 == 0 } }

    package func contains(_ column: Int) -> Bool {
        let word = column >> 6
        if word == 0 { return first & Self.bit(column) != 0 }
        return word <= rest.count && rest[word - 1] & Self.bit(column) != 0
    }

    package mutating func insert(_ column: Int) {
        let word = column >> 6
        guard word > 0 else { return first |= Self.bit(column) }
        while rest.count < word { rest.append(0) }
        rest[word - 1] |= Self.bit(column)
    }

    package mutating func remove(_ column: Int) {
        let word = column >> 6
        guard word > 0 else { return first &= ~Self.bit(column) }
        if word <= rest.count { rest[word - 1] &= ~Self.bit(column) }
    }

    package func isDisjoint(with other: ColumnMask) -> Bool {
        first & other.first == 0 && zip(rest, other.rest).allSatisfy { $0 & $1 == 0 }
    }

    private static func bit(_ column: Int) -> UInt64 { 1 << UInt64(column & 63) }

    /// The column numbers in ascending order.
    package var columns: [Int] {
        var result: [Int] = []
        for (index, word) in ([first] + rest).enumerated() {
            var word = word
            while word != 0 {
                result.append(index * 64 + word.trailingZeroBitCount)
                word &= word - 1
            }
        }
        return result
    }
}
