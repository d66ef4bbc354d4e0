package import CoreDataJSON
import Foundation

/// Messages as JSON, for people and for programs without CBOR. Bytes are an object `{"$bytes": base64}`; a
/// key that begins with `$` itself gets another one.
extension WireValue {
    package var json: JSONValue {
        switch self {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .double(let bits): .object([.init("$double", .string(Double(bitPattern: bits).description))])
        case .bytes(let value): .object([.init("$bytes", .string(Data(value).base64EncodedString()))])
        case .text(let value): .string(value)
        case .array(let elements): .array(elements.map(\.json))
        case .map(let members):
            .object(
                members.map { JSONValue.Member(($0.key.hasPrefix("$") ? "$" : "") + $0.key, $0.value.json) })
        }
    }

    /// Reads a message from JSON.
    package init(json: JSONValue, limits: WireLimits = WireLimits(), depth: Int = 1) throws(WireError) {
        guard depth <= limits.depth else { throw WireError("more than \(limits.depth) levels") }
        switch json {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(SyncValue.bits(of: value))
        case .string(let text): self = .text(text)
        case .array(let elements):
            var values: [WireValue] = []
            for element in elements {
                values.append(try WireValue(json: element, limits: limits, depth: depth + 1))
            }
            self = .array(values)
        case .object(let members):
            if members.count == 1, let scalar = try Self.scalar(members[0]) {
                self = scalar
                return
            }
            var values: [String: WireValue] = [:]
            for member in members {
                let value = try WireValue(json: member.value, limits: limits, depth: depth + 1)
                let key = member.key.hasPrefix("$") ? String(member.key.dropFirst()) : member.key
                guard values.updateValue(value, forKey: key) == nil else {
                    throw WireError("\(member.key) is there twice")
                }
            }
            self = .object(values)
        }
    }

    /// Returns the value that JSON has no spelling of its own for.
    private static func scalar(_ member: JSONValue.Member) throws(WireError) -> WireValue? {
        guard let text = member.value.string else { return nil }
        switch member.key {
        case "$bytes":
            guard let data = Data(base64Encoded: text) else {
                throw WireError("no base64: \(text.prefix(40))")
            }
            return .bytes([UInt8](data))
        case "$double":
            guard let value = Double(text) else { throw WireError("no number: \(text.prefix(40))") }
            return .double(SyncValue.bits(of: value))
        default: return nil
        }
    }
}
