/// A message as a tree, before it becomes bytes or text.
package enum WireValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// The bits of a double with one NaN and no negative zero.
    case double(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([WireValue])
    /// Members sorted as deterministic CBOR sorts keys: by length, then by bytes.
    case map([Member])

    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: WireValue

        package init(_ key: String, _ value: WireValue) {
            self.key = key
            self.value = value
        }
    }

    /// Makes a map of members in any order; their keys must differ.
    package static func object(_ members: [String: WireValue]) -> WireValue { object(members) { $0 } }

    /// Makes a map of what the values of members are as trees.
    static func object<Value>(_ members: [String: Value], _ tree: (Value) -> WireValue) -> WireValue {
        .map(members.map { Member($0.key, tree($0.value)) }.sorted { precedes($0.key, $1.key) })
    }

    static func precedes(_ first: String, _ second: String) -> Bool {
        first.utf8.count != second.utf8.count
            ? first.utf8.count < second.utf8.count : first.isBefore(second)
    }
}

/// Why bytes or a tree are no message. Nothing of such a message is used.
package struct WireError: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// How large a message may be. Whoever sends more gets an error before anything is allocated for it.
package struct WireLimits: Hashable, Sendable {
    package var bytes: Int
    package var depth: Int
    /// The values in the whole message.
    package var values: Int
    /// The bytes of one text or byte string.
    package var text: Int

    /// The levels of any message: a page has whole objects, with groups of values in them.
    package static let depth = 20

    package init(bytes: Int = 4 << 20, depth: Int = Self.depth, values: Int = 500_000, text: Int = 1 << 20) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
        self.text = text
    }

    /// The limits of what a server sends, which is trusted with more than it takes: it may have a whole store to
    /// compare.
    package static let trusted = WireLimits(bytes: 64 << 20, values: 8_000_000, text: 8 << 20)
}
