/// A reader of what `CBORWriter` writes, and of nothing else: each message has one spelling.
///
/// Bytes come from anybody. Whatever they are, the reader ends with a value or an error, and allocates no
/// more than they are long.
package struct CBORReader {
    /// The message, which `read` keeps while it is read. Nothing is taken from it but by `byte` and `take`, which check
    /// that it is there.
    private let bytes: UnsafeBufferPointer<UInt8>
    private let limits: WireLimits
    private var position = 0
    private var values = 0

    package static func read(_ bytes: [UInt8], limits: WireLimits = WireLimits()) throws(WireError)
        -> WireValue
    {
        guard bytes.count <= limits.bytes else {
            throw WireError("\(bytes.count) bytes are more than the \(limits.bytes) that are allowed")
        }
        return try bytes.withUnsafeBufferPointer { bytes throws(WireError) in
            var reader = CBORReader(bytes: bytes, limits: limits)
            let value = try reader.value(depth: 1)
            guard reader.position == bytes.count else { throw reader.error("bytes behind the end") }
            return value
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, limits: WireLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    private func error(_ message: String) -> WireError { WireError("byte \(position): \(message)") }

    private mutating func value(depth: Int) throws(WireError) -> WireValue {
        guard depth <= limits.depth else { throw error("more than \(limits.depth) levels") }
        values += 1
        guard values <= limits.values else { throw error("more than \(limits.values) values") }
        let first = try byte()
        let info = first & 31
        switch first >> 5 {
        case 0: return .integer(try integer(info))
        case 1: return .integer(-1 - (try integer(info)))
        case 2: return .bytes(Array(try string(info)))
        case 3: return .text(try text(info))
        case 4: return .array(try elements(info, depth))
        case 5: return .map(try members(info, depth))
        case 7: return try simple(info)
        default: throw error("a tag")
        }
    }

    private mutating func simple(_ info: UInt8) throws(WireError) -> WireValue {
        switch info {
        case 20: return .boolean(false)
        case 21: return .boolean(true)
        case 22: return .null
        case 27:
            let bits = try take(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard bits == SyncValue.bits(of: Double(bitPattern: bits)) else {
                throw error("a number that is spelled in another way than the one that is allowed")
            }
            return .double(bits)
        default: throw error("an unknown simple value")
        }
    }

    private mutating func elements(_ info: UInt8, _ depth: Int) throws(WireError) -> [WireValue] {
        let count = try count(info, size: 1)
        var elements: [WireValue] = []
        elements.reserveCapacity(min(count, Self.reserved))
        for _ in 0..<count { elements.append(try value(depth: depth + 1)) }
        return elements
    }

    private mutating func members(_ info: UInt8, _ depth: Int) throws(WireError) -> [WireValue.Member] {
        let count = try count(info, size: 2)
        var members: [WireValue.Member] = []
        members.reserveCapacity(min(count, Self.reserved))
        for _ in 0..<count {
            guard case .text(let key) = try value(depth: depth + 1) else {
                throw error("a key that is no text")
            }
            if let last = members.last, !WireValue.precedes(last.key, key) { throw error("unsorted keys") }
            members.append(WireValue.Member(key, try value(depth: depth + 1)))
        }
        return members
    }

    /// The elements that are made room for at once. A message that announces more has to have them first.
    private static let reserved = 64

    // MARK: Bytes

    private mutating func byte() throws(WireError) -> UInt8 {
        guard position < bytes.count else { throw error("the message ends too early") }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func take(_ count: Int) throws(WireError) -> UnsafeBufferPointer<UInt8> {
        guard count <= bytes.count - position else { throw error("the message ends too early") }
        defer { position += count }
        return UnsafeBufferPointer(rebasing: bytes[position..<position + count])
    }

    private mutating func number(_ info: UInt8) throws(WireError) -> UInt64 {
        guard info >= 24 else { return UInt64(info) }
        guard info <= 27 else { throw error("a value of unknown length") }
        let width = 1 << Int(info - 24)
        let number = try take(width).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let least: UInt64 = width == 1 ? 24 : 1 << UInt64(width * 4)
        guard number >= least else { throw error("a number that is longer than it has to be") }
        return number
    }

    private mutating func integer(_ info: UInt8) throws(WireError) -> Int64 {
        guard let number = Int64(exactly: try number(info)) else { throw error("a number of 64 bits") }
        return number
    }

    /// Returns a number of elements that the rest of the message has room for.
    private mutating func count(_ info: UInt8, size: Int) throws(WireError) -> Int {
        let number = try number(info)
        guard number <= UInt64((bytes.count - position) / size) else { throw error("too many elements") }
        return Int(number)
    }

    private mutating func string(_ info: UInt8) throws(WireError) -> UnsafeBufferPointer<UInt8> {
        let count = try count(info, size: 1)
        guard count <= limits.text else { throw error("a text of more than \(limits.text) bytes") }
        return try take(count)
    }

    private mutating func text(_ info: UInt8) throws(WireError) -> String {
        guard let text = String(validating: try string(info), as: UTF8.self) else {
            throw error("a text that is not UTF-8")
        }
        return text
    }
}
