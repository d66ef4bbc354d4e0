import CoreDataJSON

/// The reason why JSON is no command.
package struct CommandSyntaxError: Error, Hashable, CustomStringConvertible {
    /// The position of the command, from 0; nil if the whole text is no list of commands.
    package internal(set) var command: Int?
    package let message: String

    init(_ message: String) { self.message = message }

    package var description: String { command.map { "command \($0 + 1): \(message)" } ?? message }
}

/// A reader of an object in JSON. Its members are taken one by one; those that are left in the end are mistakes.
struct CommandFields {
    private let what: String
    private var rest: [JSONValue.Member]

    /// - Parameter what: What the object is, for messages.
    init(_ json: JSONValue, _ what: String) throws(CommandSyntaxError) {
        guard case .object(let members) = json else {
            throw CommandSyntaxError("\(what) has to be an object")
        }
        for member in members where members.filter({ $0.key == member.key }).count > 1 {
            throw CommandSyntaxError("\(what) has \"\(member.key)\" twice")
        }
        self.what = what
        rest = members
    }

    mutating func take(_ key: String) -> JSONValue? {
        guard let index = rest.firstIndex(where: { $0.key == key }) else { return nil }
        return rest.remove(at: index).value
    }

    /// Refuses an object of which something is left.
    func requireEnd() throws(CommandSyntaxError) {
        if let member = rest.first { throw CommandSyntaxError("\(what) has no \"\(member.key)\"") }
    }

    private func missing(_ key: String, _ expected: String) -> CommandSyntaxError {
        CommandSyntaxError("\(what) needs \"\(key)\", \(expected)")
    }

    // MARK: Types

    /// Takes a member that may be left out or null, and has to be of a type otherwise.
    private mutating func optional<Value>(
        _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(CommandSyntaxError) -> Value? {
        switch take(key) {
        case nil, .null?: return nil
        case let json?:
            guard let value = read(json) else { throw missing(key, expected) }
            return value
        }
    }

    private mutating func required<Value>(
        _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(CommandSyntaxError) -> Value {
        guard let value = try optional(key, expected, read) else { throw missing(key, expected) }
        return value
    }

    private static let text = "a text"
    private static let wholeNumber = "a whole number"
    private static let address = "the path or ID of an element"

    mutating func optionalText(_ key: String) throws(CommandSyntaxError) -> String? {
        try optional(key, Self.text, \.string)
    }

    mutating func text(_ key: String) throws(CommandSyntaxError) -> String {
        try required(key, Self.text, \.string)
    }

    mutating func optionalNumber(_ key: String) throws(CommandSyntaxError) -> Int? {
        try optional(key, Self.wholeNumber, Self.number)
    }

    mutating func number(_ key: String) throws(CommandSyntaxError) -> Int {
        try required(key, Self.wholeNumber, Self.number)
    }

    private static func number(_ json: JSONValue) -> Int? {
        guard case .integer(let number) = json else { return nil }
        return Int32(exactly: number).map(Int.init)
    }

    mutating func optionalAddress(_ key: String) throws(CommandSyntaxError) -> ElementAddress? {
        try optional(key, Self.address, ElementAddress.init)
    }

    mutating func address(_ key: String) throws(CommandSyntaxError) -> ElementAddress {
        try required(key, Self.address, ElementAddress.init)
    }

    /// Takes a list of at least one address.
    mutating func addresses(_ key: String) throws(CommandSyntaxError) -> [ElementAddress] {
        guard case .array(let values)? = take(key), !values.isEmpty,
            !values.contains(where: { ElementAddress($0) == nil })
        else { throw missing(key, "a list of paths or IDs of elements") }
        return values.compactMap { ElementAddress($0) }
    }

    mutating func list(_ key: String) throws(CommandSyntaxError) -> [JSONValue] {
        switch take(key) {
        case nil: return []
        case .array(let values)?: return values
        default: throw missing(key, "a list")
        }
    }

    mutating func members(_ key: String) throws(CommandSyntaxError) -> [JSONValue.Member] {
        switch take(key) {
        case nil: return []
        case .object(let members)?: return members
        default: throw missing(key, "an object")
        }
    }
}

extension ElementAddress {
    init?(_ json: JSONValue) {
        switch json {
        case .string(let path): self = .path(path)
        case .integer(let number): self = .id(ElementID(Int(number)))
        default: return nil
        }
    }

    var json: JSONValue {
        switch self {
        case .path(let path): .string(path)
        case .id(let id): .integer(Int64(id.number))
        }
    }
}
