import CoreDataJSON

/// A reader of the members of an object, which finds those that it does not know.
///
/// A misspelled limit must not go unnoticed, so each member is either read or an error.
struct ConfigurationReader {
    private let path: String
    private var members: [String: JSONValue] = [:]

    init(_ value: JSONValue, at path: String) throws(ConfigurationError) {
        self.path = path
        guard case .object(let list) = value else { throw ConfigurationError(path, "an object is expected") }
        for member in list {
            guard members.updateValue(member.value, forKey: member.key) == nil else {
                throw ConfigurationError(Self.join(path, member.key), "it is there twice")
            }
        }
    }

    private static func join(_ path: String, _ name: String) -> String {
        path.isEmpty ? name : "\(path).\(name)"
    }

    func path(of name: String) -> String { Self.join(path, name) }

    mutating func value(_ name: String) -> JSONValue? { members.removeValue(forKey: name) }

    mutating func text(_ name: String) throws(ConfigurationError) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string, !text.isEmpty else {
            throw ConfigurationError(path(of: name), "a text is expected")
        }
        return text
    }

    mutating func boolean(_ name: String) throws(ConfigurationError) -> Bool? {
        guard let value = value(name) else { return nil }
        guard case .boolean(let boolean) = value else {
            throw ConfigurationError(path(of: name), "true or false is expected")
        }
        return boolean
    }

    /// Reads a whole number that is not below `least`.
    mutating func number(_ name: String, least: Int = 0) throws(ConfigurationError) -> Int? {
        guard let value = value(name) else { return nil }
        guard case .integer(let number) = value, number >= least, let result = Int(exactly: number) else {
            throw ConfigurationError(path(of: name), "a whole number from \(least) on is expected")
        }
        return result
    }

    mutating func list(_ name: String) throws(ConfigurationError) -> [JSONValue] {
        guard let value = value(name) else { return [] }
        guard case .array(let elements) = value else {
            throw ConfigurationError(path(of: name), "a list is expected")
        }
        return elements
    }

    mutating func object(_ name: String) throws(ConfigurationError) -> ConfigurationReader? {
        guard let value = value(name) else { return nil }
        return try ConfigurationReader(value, at: path(of: name))
    }

    /// Ends the reading.
    func finish() throws(ConfigurationError) {
        if let name = members.keys.sorted().first {
            throw ConfigurationError(path(of: name), "there is no such setting")
        }
    }

    /// The names that are left, and their values.
    var rest: [(name: String, value: JSONValue)] {
        members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
