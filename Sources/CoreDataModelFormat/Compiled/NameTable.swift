/// A table that finds names without hashing their characters. It compares the two words of which a string
/// consists: they contain the characters of short strings, and the address of the characters of others.
///
/// Equal words mean equal strings, since the table keeps its own strings alive. Different words need not mean
/// different strings: a name that is not found may still be in the table, with its characters at another
/// address.
struct NameTable: Sendable {
    private struct Words: Equatable {
        let first: UInt64
        let second: UInt64

        init(_ name: String) {
            (first, second) = unsafeBitCast(name, to: (UInt64, UInt64).self)
        }
    }

    /// An entry without references, so that a look-up takes no reference counting.
    private struct Entry {
        let words: Words
        let index: Int
    }

    /// The entries. Their number is a power of two, and at least half of them are empty.
    private let entries: [Entry?]
    private let names: [String]

    init(_ names: [String]) {
        var capacity = 4
        while capacity < names.count * 2 { capacity *= 2 }
        var entries = [Entry?](repeating: nil, count: capacity)
        if Self.isUsable {
            for (index, name) in names.enumerated() {
                let words = Words(name)
                var home = Self.home(words, capacity)
                while entries[home] != nil { home = (home + 1) & (capacity - 1) }
                entries[home] = Entry(words: words, index: index)
            }
        }
        self.entries = entries
        self.names = names
    }

    /// Returns the position of the name among the names; nil if no name has the same words.
    subscript(_ name: String) -> Int? {
        guard Self.isUsable else { return nil }
        let words = Words(name)
        var home = Self.home(words, entries.count)
        while let entry = entries[home] {
            if entry.words == words { return entry.index }
            home = (home + 1) & (entries.count - 1)
        }
        return nil
    }

    /// Whether a string consists of two words on this platform.
    private static var isUsable: Bool { MemoryLayout<String>.size == MemoryLayout<Words>.size }

    private static func home(_ words: Words, _ capacity: Int) -> Int {
        let mixed = (words.first ^ words.second &* 0x9E37_79B9_7F4A_7C15) &* 0xC2B2_AE3D_27D4_EB4F
        return Int(truncatingIfNeeded: mixed >> 32) & (capacity - 1)
    }
}
