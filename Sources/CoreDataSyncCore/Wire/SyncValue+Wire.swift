/// Values in messages. What CBOR has a type for is that; the rest is a list that begins with a number.
extension SyncValue {
    /// No fewer bytes than the value takes in a message.
    var byteBound: Int {
        switch self {
        case .null, .boolean, .integer, .double, .date, .uuid, .reference: 20
        case .decimal(let value): 20 + value.text.utf8.count
        case .string(let text), .uri(let text): 20 + text.utf8.count
        case .data(let bytes): 20 + bytes.count
        case .blob(let hash, _): 30 + hash.count
        case .position(_, let key): 40 + key.bytes.count
        case .composite(let elements):
            elements.reduce(20) { $0 + 10 + $1.name.utf8.count + $1.value.byteBound }
        }
    }

    var wire: WireValue {
        switch self {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .double(let bits): .double(bits)
        case .string(let text): .text(text)
        case .data(let bytes): .bytes(bytes)
        case .decimal(let value): .array([.integer(0), .text(value.text)])
        case .date(let bits): .array([.integer(1), .double(bits)])
        case .uuid(let id): .array([.integer(2), id.wire])
        case .uri(let text): .array([.integer(3), .text(text)])
        case .reference(let id): .array([.integer(4), id.wire])
        case .blob(let hash, let size): .array([.integer(5), .bytes(hash), .count(size)])
        case .position(let owner, let key): .array([.integer(6), owner.wire, .bytes(key.bytes)])
        case .composite(let elements):
            .array(
                [.integer(7)]
                    + elements.flatMap { element in [.text(element.name), element.value.wire] })
        }
    }

    init(wire: WireValue) throws(WireError) {
        switch wire {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .double(let bits): self = .double(bits)
        case .text(let text): self = .string(text)
        case .bytes(let bytes): self = .data(bytes)
        case .map: throw wire.mismatch("a value")
        case .array(let fields): self = try Self.tagged(wire, fields)
        }
    }

    private static func tagged(
        _ wire: WireValue, _ fields: [WireValue]
    ) throws(WireError) -> SyncValue {
        guard let tag = fields.first else { throw wire.mismatch("a value") }
        switch (try tag.integer(), fields.count) {
        case (0, 2):
            // Another spelling of a number would be another value to everybody who compares bytes.
            let text = try fields[1].text()
            guard let value = CanonicalDecimal(text), value.text == text else {
                throw WireError("no decimal: \(text.prefix(40))")
            }
            return .decimal(value)
        case (1, 2):
            guard case .double(let bits) = fields[1] else { throw fields[1].mismatch("a date") }
            return .date(bits)
        case (2, 2): return .uuid(try fields[1].id())
        case (3, 2): return .uri(try fields[1].text())
        case (4, 2): return .reference(try fields[1].id())
        case (5, 3):
            let hash = try fields[1].bytes()
            guard hash.count == 32 else { throw WireError("a hash of \(hash.count) bytes") }
            return .blob(hash: hash, size: try fields[2].count())
        case (6, 3):
            guard let key = OrderKey(bytes: try fields[2].bytes()) else { throw WireError("no order key") }
            return .position(owner: try fields[1].id(), key: key)
        case (7, _) where fields.count % 2 == 1: return try composite(fields)
        default: throw WireError("an unknown kind of value")
        }
    }

    private static func composite(_ fields: [WireValue]) throws(WireError) -> SyncValue {
        var elements: [Element] = []
        for index in stride(from: 1, to: fields.count, by: 2) {
            let name = try fields[index].text()
            if let last = elements.last, !last.name.isBefore(name) { throw WireError("unsorted elements") }
            elements.append(Element(name, try SyncValue(wire: fields[index + 1])))
        }
        return .composite(elements)
    }
}
