/// The reason why JSON is no command.
package struct CommandSyntaxError: Error, Hashable, CustomStringConvertible {
    /// The position of the command, from 0; nil if the whole text is no list of commands.
    package internal(set) var command: Int?
    package let message: String

    init(_ message: String) { self.message = message }

    package var description: String { command.map { "command \($0 + 1): \(message)" } ?? message }
}

/// The members of an object in JSON, taken one by one, so that one that nobody takes is found.
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

    mutating func optionalText(_ key: String) throws(CommandSyntaxError) -> String? {
        switch take(key) {
        case nil, .null?: return nil
        case .string(let text)?: return text
        default: throw missing(key, "a text")
        }
    }

    mutating func text(_ key: String) throws(CommandSyntaxError) -> String {
        guard let text = try optionalText(key) else { throw missing(key, "a text") }
        return text
    }

    mutating func optionalNumber(_ key: String) throws(CommandSyntaxError) -> Int? {
        switch take(key) {
        case nil, .null?: return nil
        case .integer(let number)?:
            if let number = Int32(exactly: number) { return Int(number) }
            fallthrough
        default: throw missing(key, "a whole number")
        }
    }

    mutating func number(_ key: String) throws(CommandSyntaxError) -> Int {
        guard let number = try optionalNumber(key) else { throw missing(key, "a whole number") }
        return number
    }

    mutating func optionalAddress(_ key: String) throws(CommandSyntaxError) -> ElementAddress? {
        switch take(key) {
        case nil, .null?: return nil
        case let value?:
            guard let address = ElementAddress(value) else {
                throw missing(key, "the path or ID of an element")
            }
            return address
        }
    }

    mutating func address(_ key: String) throws(CommandSyntaxError) -> ElementAddress {
        guard let address = try optionalAddress(key) else {
            throw missing(key, "the path or ID of an element")
        }
        return address
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
