/// Readings of a tree as what a message is made of. Each throws if the tree is something else.
extension WireValue {
    func integer() throws(WireError) -> Int64 {
        guard case .integer(let value) = self else { throw mismatch("an integer") }
        return value
    }

    /// Reads a number that is not negative.
    func count() throws(WireError) -> UInt64 {
        guard let value = UInt64(exactly: try integer()) else { throw mismatch("a count") }
        return value
    }

    /// Reads a word all of whose bits count.
    func word() throws(WireError) -> UInt64 { UInt64(bitPattern: try integer()) }

    func boolean() throws(WireError) -> Bool {
        guard case .boolean(let value) = self else { throw mismatch("true or false") }
        return value
    }

    func text() throws(WireError) -> String {
        guard case .text(let value) = self else { throw mismatch("a text") }
        return value
    }

    func bytes() throws(WireError) -> [UInt8] {
        guard case .bytes(let value) = self else { throw mismatch("bytes") }
        return value
    }

    func array() throws(WireError) -> [WireValue] {
        guard case .array(let elements) = self else { throw mismatch("a list") }
        return elements
    }

    /// Reads a list of so many fields.
    func fields(_ count: Int) throws(WireError) -> [WireValue] {
        let elements = try array()
        guard elements.count == count else { throw mismatch("\(count) fields") }
        return elements
    }

    func list<Element>(
        _ read: (WireValue) throws(WireError) -> Element
    ) throws(WireError) -> [Element] {
        var result: [Element] = []
        for element in try array() { result.append(try read(element)) }
        return result
    }

    func optional<Value>(_ read: (WireValue) throws(WireError) -> Value) throws(WireError) -> Value? {
        self == .null ? nil : try read(self)
    }

    /// Returns the member of a map, null if there is none, so that later versions may add members.
    subscript(_ key: String) -> WireValue {
        guard case .map(let members) = self else { return .null }
        return members.first { $0.key.hasSameBytes(as: key) }?.value ?? .null
    }

    func map() throws(WireError) -> [Member] {
        guard case .map(let members) = self else { throw mismatch("a map") }
        return members
    }

    func id() throws(WireError) -> SyncID {
        let bytes = try bytes()
        guard bytes.count == 16 else { throw mismatch("an ID of 16 bytes") }
        return SyncID(bytes: bytes)
    }

    func time() throws(WireError) -> HybridTime { HybridTime(word: try count()) }

    func stamp() throws(WireError) -> Stamp {
        let fields = try fields(2)
        return Stamp(time: try fields[0].time(), replica: try fields[1].id())
    }

    func mismatch(_ expected: String) -> WireError { WireError("\(expected) was expected, not \(kind)") }

    private var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a truth value"
        case .integer: "an integer"
        case .double: "a number"
        case .bytes: "bytes"
        case .text: "a text"
        case .array(let elements): "a list of \(elements.count)"
        case .map: "a map"
        }
    }

    // MARK: Writing

    static func count(_ value: some BinaryInteger) -> WireValue { .integer(Int64(clamping: value)) }
    static func word(_ value: UInt64) -> WireValue { .integer(Int64(bitPattern: value)) }
    static func optional<Value>(_ value: Value?, _ write: (Value) -> WireValue) -> WireValue {
        value.map(write) ?? .null
    }
}

extension SyncID {
    var wire: WireValue { .bytes(bytes) }
}

extension HybridTime {
    var wire: WireValue { .count(word) }
}

extension Stamp {
    var wire: WireValue { .array([time.wire, replica.wire]) }
}
