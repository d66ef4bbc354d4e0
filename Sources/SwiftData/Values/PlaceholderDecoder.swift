import CoreData

/// Which value of a type stands for one that is not there.
enum Placeholder: Sendable {
    /// One of two different values, so that a getter can be seen to change a value.
    case first, second
    /// Zero, no text, no member, the first case.
    case empty
}

/// A decoder without data: it hands out placeholders, and notes what a type asks for.
final class PlaceholderDecoder: Decoder {
    /// What the decoded type asked for first, and then.
    private(set) var shape = CodedShape<[Part]>.nothing
    /// The types whose values are being made, the outermost first.
    private let types: [Any.Type]
    private let kind: Placeholder

    /// One element that was asked for.
    struct Part {
        let name: String
        let type: Any.Type
        var isOptional: Bool
    }

    init(types: [Any.Type], _ kind: Placeholder) {
        self.types = types
        self.kind = kind
    }

    /// Returns a placeholder of a type.
    ///
    /// - Throws: The error of a type that accepts none.
    static func value<Value: Decodable>(of type: Value.Type, _ kind: Placeholder) throws -> Value {
        try PlaceholderDecoder(types: [], kind).value(type)
    }

    private func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if types.contains(where: { $0 == type }) { throw refusal("\(type) contains itself") }
        if let cases = EnumCases.all(of: type) { return cases[kind == .second && cases.count > 1 ? 1 : 0] }
        if let stored = StoredType(of: type) {
            let object = stored.placeholder(kind, for: type)
            return try StoredValue.value(type, from: object)
        }
        return try Value(from: PlaceholderDecoder(types: types + [type], kind))
    }

    private func refusal(_ reason: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: reason))
    }

    private func note(_ name: String, _ type: Any.Type, isOptional: Bool) {
        if case .nothing = shape { shape = .elements([]) }
        guard case .elements(var parts) = shape else { return }
        parts.removeAll { $0.name == name }
        parts.append(Part(name: name, type: type, isOptional: isOptional))
        shape = .elements(parts)
    }

    // MARK: Decoder

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Elements<Key>(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        shape = .other
        return Members(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { One(decoder: self) }

    private struct One: SingleValueDecodingContainer {
        let decoder: PlaceholderDecoder
        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool { false }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            decoder.shape = if case .nothing = decoder.shape { .one(type) } else { .other }
            return try decoder.value(type)
        }
    }

    private struct Members: UnkeyedDecodingContainer {
        let decoder: PlaceholderDecoder
        var currentIndex = 0
        var codingPath: [any CodingKey] { [] }
        /// Unknown, as types that decode a fixed number of members do not ask.
        var count: Int? { nil }
        var isAtEnd: Bool { currentIndex >= (decoder.kind == .second ? 1 : 0) }

        init(decoder: PlaceholderDecoder) { self.decoder = decoder }

        mutating func decodeNil() -> Bool { false }
        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            currentIndex += 1
            return try decoder.value(type)
        }
        mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
            nested().container(keyedBy: type)
        }
        mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
            nested().unkeyedContainer()
        }
        mutating func superDecoder() -> any Decoder { nested() }
        private mutating func nested() -> PlaceholderDecoder {
            currentIndex += 1
            return PlaceholderDecoder(types: decoder.types, decoder.kind)
        }
    }

    private struct Elements<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: PlaceholderDecoder
        let optionals = Names()
        var codingPath: [any CodingKey] { [] }

        /// The keys that were asked for nil before their values, as `decodeIfPresent` does.
        final class Names { var names: Set<String> = [] }

        /// The key of one case of an enumeration with associated values, or of one member of a dictionary.
        var allKeys: [Key] {
            decoder.shape = .other
            if let cases = EnumCases.all(of: Key.self) {
                return [decoder.kind == .second ? cases.last! : cases[0]]
            }
            return decoder.kind == .second ? [Key(stringValue: "a")].compactMap(\.self) : []
        }

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) -> Bool {
            optionals.names.insert(ElementName(key).text)
            return decoder.kind == .empty
        }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let name = ElementName(key).text
            let optional = type as? any OptionalType.Type
            decoder.note(
                name, optional?.wrappedType ?? type,
                isOptional: optional != nil || optionals.names.contains(name))
            return try decoder.value(type)
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedDecodingContainer<Nested> {
            nested().container(keyedBy: type)
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
            nested().unkeyedContainer()
        }
        func superDecoder() -> any Decoder { nested() }
        func superDecoder(forKey key: Key) -> any Decoder { nested() }
        private func nested() -> PlaceholderDecoder {
            decoder.shape = .other
            return PlaceholderDecoder(types: decoder.types, decoder.kind)
        }
    }
}

/// What a type asks a coder for.
enum CodedShape<Elements> {
    case nothing
    /// One value of a type.
    case one(Any.Type)
    /// Elements with names.
    case elements(Elements)
    /// Anything else.
    case other
}

/// The name of an element: that of its coding key's case, which compilers name after the property, or else
/// the key's text.
struct ElementName {
    let text: String

    init(_ key: some CodingKey) { text = EnumCases.name(of: key) ?? key.stringValue }
}
