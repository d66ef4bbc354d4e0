/// The search in bytes for other bytes, at sixteen places at a time. One comparison finds the places where
/// both the first and the last of the sought bytes match, and only these places are compared completely.
enum ByteSearch {
    private typealias Block = SIMD16<UInt8>

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Returns whether `haystack` contains `needle`, which is not empty, at a place after which the following
    /// bytes are accepted.
    ///
    /// - Parameter ignoresCase: Whether the case of ASCII letters in the haystack is ignored; the needle's
    ///   letters are then in lower case.
    @inline(__always)
    static func contains(
        _ haystack: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>, ignoresCase: Bool,
        accepting: (_ end: Int) -> Bool
    ) -> Bool {
        guard haystack.count >= needle.count, let base = haystack.baseAddress else { return false }
        @inline(__always) func isMatch(_ start: Int) -> Bool {
            matches(haystack, at: start, needle, ignoresCase: ignoresCase) && accepting(start &+ needle.count)
        }
        let startCount = haystack.count - needle.count + 1
        guard startCount >= Block.scalarCount else {
            for start in 0..<startCount where isMatch(start) { return true }
            return false
        }
        let (first, last) = (needle[0], needle[needle.count - 1])
        let (firsts, lasts) = (Block(repeating: first), Block(repeating: last))
        // The bit that makes letters lower case. It is used only if the sought byte is a letter; otherwise it
        // would turn other bytes into the sought one.
        let firstCase = Block(repeating: ignoresCase && isLetter(first) ? 0x20 : 0)
        let lastCase = Block(repeating: ignoresCase && isLetter(last) ? 0x20 : 0)
        let (heads, tails) = (UnsafeRawPointer(base), UnsafeRawPointer(base) + (needle.count - 1))
        var start = 0
        while start < startCount {
            // The last block overlaps the one before, so that no byte after the haystack is read.
            let offset = min(start, startCount &- Block.scalarCount)
            let head = heads.loadUnaligned(fromByteOffset: offset, as: Block.self) | firstCase
            let tail = tails.loadUnaligned(fromByteOffset: offset, as: Block.self) | lastCase
            let found = unsafeBitCast((head .== firsts) .& (tail .== lasts), to: SIMD2<UInt64>.self)
            if found.x | found.y != 0 {
                for half in 0..<2 {
                    var candidates = UInt64(littleEndian: found[half]) & highBits
                    while candidates != 0 {
                        let candidate = offset &+ 8 &* half &+ candidates.trailingZeroBitCount &>> 3
                        if isMatch(candidate) { return true }
                        candidates &= candidates &- 1
                    }
                }
            }
            start = offset &+ Block.scalarCount
        }
        return false
    }

    static func matches(
        _ haystack: UnsafeBufferPointer<UInt8>, at start: Int, _ needle: UnsafeBufferPointer<UInt8>,
        ignoresCase: Bool
    ) -> Bool {
        let count = needle.count
        guard count >= 8, let text = haystack.baseAddress, let sought = needle.baseAddress else {
            for offset in 0..<count {
                let byte = haystack[start &+ offset]
                guard (ignoresCase ? lowercase(byte) : byte) == needle[offset] else { return false }
            }
            return true
        }
        // Word by word; the last word overlaps the one before.
        var offset = 0
        while true {
            let found = word(UnsafeRawPointer(text), start &+ offset)
            guard (ignoresCase ? lowercase(found) : found) == word(UnsafeRawPointer(sought), offset) else {
                return false
            }
            if offset == count &- 8 { return true }
            offset = min(offset &+ 8, count &- 8)
        }
    }

    @inline(__always)
    static func lowercase(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// Returns a word with ASCII letters in lower case, up to its first byte that is not ASCII.
    @inline(__always)
    static func lowercase(_ word: UInt64) -> UInt64 {
        let bytes = word & ~highBits
        // The high bit of each byte that is at least `A`, and of each byte greater than `Z`.
        let (fromA, beyondZ) = (bytes &+ (0x80 - 0x41) &* ones, bytes &+ (0x7F - 0x5A) &* ones)
        return word | ((fromA ^ beyondZ) & highBits) >> 2
    }

    /// Returns the number of bytes in a word before the first one that is not ASCII.
    @inline(__always)
    static func leadingASCII(_ word: UInt64) -> Int { (word & highBits).trailingZeroBitCount / 8 }

    @inline(__always)
    private static func isLetter(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 }

    /// Returns eight bytes as a word, the first one lowest.
    @inline(__always)
    static func word(_ bytes: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
