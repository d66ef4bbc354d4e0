import CoreData

/// A decoder of what an attribute of Core Data holds: one value, the dictionary of a composite's elements, or
/// the arrays and dictionaries of an archive.
struct ObjectDecoder: Decoder {
    /// The content; nil for an element without a value.
    let object: Any?
    let codingPath: [any CodingKey]

    init(_ object: Any?, at path: [any CodingKey] = []) {
        self.object = object
        codingPath = path
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let elements = object as? [String: Any] else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(Elements<Key>(elements: elements, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let members = object as? [Any] else { throw mismatch([Any].self) }
        return Members(members: members, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { One(decoder: self) }

    private func mismatch(_ type: Any.Type) -> DecodingError {
        let found = object.map { "\($0)" } ?? "nothing"
        return .typeMismatch(
            type, DecodingError.Context(codingPath: codingPath, debugDescription: "found \(found)"))
    }

    private func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let object else { return try Value(from: self) }
        return try StoredValue.value(type, from: object, at: codingPath)
    }

    private struct One: SingleValueDecodingContainer {
        let decoder: ObjectDecoder
        var codingPath: [any CodingKey] { decoder.codingPath }

        func decodeNil() -> Bool { decoder.object == nil }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            guard decoder.object != nil else { throw decoder.mismatch(type) }
            return try decoder.value(type)
        }
    }

    private struct Members: UnkeyedDecodingContainer {
        let members: [Any]
        let codingPath: [any CodingKey]
        var currentIndex = 0
        var count: Int? { members.count }
        var isAtEnd: Bool { currentIndex >= members.count }

        init(members: [Any], codingPath: [any CodingKey]) {
            self.members = members
            self.codingPath = codingPath
        }

        mutating func decodeNil() -> Bool { false }
        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().value(type) }
        mutating func nestedContainer<Key: CodingKey>(
            keyedBy type: Key.Type
        ) throws -> KeyedDecodingContainer<Key> { try next().container(keyedBy: type) }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try next().unkeyedContainer()
        }
        mutating func superDecoder() throws -> any Decoder { try next() }
        private mutating func next() throws -> ObjectDecoder {
            guard !isAtEnd else { throw ObjectDecoder(nil, at: codingPath).mismatch(Any.self) }
            defer { currentIndex += 1 }
            return ObjectDecoder(members[currentIndex], at: codingPath)
        }
    }

    private struct Elements<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let elements: [String: Any]
        let codingPath: [any CodingKey]

        var allKeys: [Key] { elements.keys.sorted().compactMap { Key(stringValue: $0) } }

        private func element(_ key: Key) -> ObjectDecoder {
            ObjectDecoder(
                elements[ElementName(key).text] ?? elements[key.stringValue], at: codingPath + [key])
        }

        func contains(_ key: Key) -> Bool { element(key).object != nil }
        func decodeNil(forKey key: Key) -> Bool { !contains(key) }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let element = element(key)
            guard element.object != nil || type is any OptionalType.Type || isAllOptional(type) else {
                throw DecodingError.keyNotFound(
                    key,
                    DecodingError.Context(
                        codingPath: codingPath, debugDescription: "no value for \(ElementName(key).text)"))
            }
            return try element.value(type)
        }
        /// Whether a type is a composite without a mandatory element, so that a value may have none.
        private func isAllOptional(_ type: Any.Type) -> Bool {
            (type as? any Codable.Type).flatMap { try? ValueLayout.of($0) }?.mayBeEmpty ?? false
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { try element(key).container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try element(key).unkeyedContainer()
        }
        func superDecoder() -> any Decoder { ObjectDecoder(elements, at: codingPath) }
        func superDecoder(forKey key: Key) -> any Decoder { element(key) }
    }
}
