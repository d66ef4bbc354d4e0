/// The XML attributes of an element. The parser removes each one that it understands.
///
/// An attribute that remains becomes an editor attribute. The parser also leaves attributes that state a
/// default value, so that writing the document again loses nothing.
struct ElementFields {
    private(set) var rest: [String: String]

    init(_ attributes: [String: String]) {
        rest = attributes
    }

    mutating func take(_ key: String) -> String? {
        rest.removeValue(forKey: key)
    }

    /// Removes and returns a text. An empty text counts as missing and remains.
    mutating func takeNonEmpty(_ key: String) -> String? {
        guard let text = rest[key], !text.isEmpty else { return nil }
        return take(key)
    }

    mutating func flag(_ key: String, default fallback: Bool = false) -> Bool {
        guard let value = rest[key].flatMap(Self.boolean) else { return fallback }
        if value != fallback { rest[key] = nil }
        return value
    }

    mutating func integer(_ key: String, default fallback: Int) -> Int {
        guard let value = rest[key].flatMap({ Int($0) }) else { return fallback }
        if value != fallback { rest[key] = nil }
        return value
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text {
        case "YES", "yes", "true", "1": true
        case "NO", "no", "false", "0": false
        default: nil
        }
    }
}
