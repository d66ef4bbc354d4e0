/// Finds what names stand for without hashing their characters: by the two words that a string is. Those of short
/// strings are their characters, those of others say where the characters are.
///
/// Equal words mean equal strings, for the table keeps its own. Other words mean nothing: a name that is not found may
/// still be there, written differently.
struct NameTable: Sendable {
    private struct Words: Equatable {
        let first: UInt64
        let second: UInt64

        init(_ name: String) {
            (first, second) = unsafeBitCast(name, to: (UInt64, UInt64).self)
        }
    }

    /// Without references, so that to look costs no counting.
    private struct Place {
        let words: Words
        let index: Int
    }

    /// A power of two of them, half of which at least are empty.
    private let places: [Place?]
    private let names: [String]

    init(_ names: [String]) {
        var capacity = 4
        while capacity < names.count * 2 { capacity *= 2 }
        var places = [Place?](repeating: nil, count: capacity)
        if Self.isUsable {
            for (index, name) in names.enumerated() {
                let words = Words(name)
                var home = Self.home(words, capacity)
                while places[home] != nil { home = (home + 1) & (capacity - 1) }
                places[home] = Place(words: words, index: index)
            }
        }
        self.places = places
        self.names = names
    }

    /// Where among the names it is.
    subscript(_ name: String) -> Int? {
        guard Self.isUsable else { return nil }
        let words = Words(name)
        var home = Self.home(words, places.count)
        while let place = places[home] {
            if place.words == words { return place.index }
            home = (home + 1) & (places.count - 1)
        }
        return nil
    }

    /// Whether strings are two words here.
    private static var isUsable: Bool { MemoryLayout<String>.size == MemoryLayout<Words>.size }

    private static func home(_ words: Words, _ capacity: Int) -> Int {
        let mixed = (words.first ^ words.second &* 0x9E37_79B9_7F4A_7C15) &* 0xC2B2_AE3D_27D4_EB4F
        return Int(truncatingIfNeeded: mixed >> 32) & (capacity - 1)
    }
}
