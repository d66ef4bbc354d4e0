/// The column of a property in the rows of one layout, in one word: the ID of the layout in the upper half,
/// then the column's number, then the index of its first word.
///
/// Accessors are compiled into the app, which does not see `Snapshot` and `RowLayout`; the bits of a row that
/// they test are defined only here.
@_documentation(visibility: internal)
@frozen public struct CachedColumn: Sendable {
    @usableFromInline let bits: UInt64

    @inlinable init(bits: UInt64) {
        self.bits = bits
    }

    /// Nil if the number or offset of the column does not fit into its bits.
    init?(layoutID: UInt32, number: Int, offset: Int) {
        guard number <= 0xFFFF, offset <= 0xFFFF else { return nil }
        bits = UInt64(layoutID) << 32 | UInt64(number) << 16 | UInt64(offset)
    }

    @inlinable var layoutID: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }
    @inlinable var number: Int { Int(truncatingIfNeeded: bits >> 16 & 0xFFFF) }
    @inlinable var offset: Int { Int(truncatingIfNeeded: bits & 0xFFFF) }

    // MARK: Masks

    /// The index of the column's bit in the null mask; the tail mask and the native mask follow
    /// (`Snapshot.Mask`).
    @inlinable var maskIndex: Int { 3 * (number >> 6) }
    @inlinable var maskBit: UInt64 { 1 << UInt64(truncatingIfNeeded: number & 63) }

    @inlinable
    func isNull(in words: UnsafeMutablePointer<UInt64>) -> Bool { words[maskIndex] & maskBit != 0 }

    /// Returns whether the column owns a value outside of the row; if the column is null, a value that cannot
    /// be read.
    @inlinable
    func isNative(in words: UnsafeMutablePointer<UInt64>) -> Bool { words[maskIndex + 2] & maskBit != 0 }

    /// Writes a column of one word, nil for null. Inlined, as a call would be a large part of a write.
    @inlinable @inline(__always)
    func setWord(_ word: UInt64?, in words: UnsafeMutablePointer<UInt64>) {
        words[offset] = word ?? 0
        if word == nil { words[maskIndex] |= maskBit } else { words[maskIndex] &= ~maskBit }
    }
}
