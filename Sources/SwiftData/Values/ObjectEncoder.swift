import CoreData

/// An encoder into what an attribute of Core Data holds: one value, or a dictionary of a composite's
/// elements.
final class ObjectEncoder: Encoder {
    /// What was encoded; nil for nothing.
    private(set) var object: Any?
    private(set) var shape = CodedShape<[String: Any.Type]>.nothing

    private func add(_ object: Any?, _ name: String, _ type: Any.Type) {
        switch shape {
        case .elements(var types):
            types[name] = ValueType(type).wrapped
            shape = .elements(types)
        default: shape = .elements([name: ValueType(type).wrapped])
        }
        var elements = self.object as? [String: Any] ?? [:]
        elements[name] = object
        self.object = elements
    }

    private func refuse() { shape = .other }

    // MARK: Encoder

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if object == nil { object = [String: Any]() }
        return KeyedEncodingContainer(Elements<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        refuse()
        return Discarded()
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { One(encoder: self) }

    private struct One: SingleValueEncodingContainer {
        let encoder: ObjectEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil() {}
        func encode<Value: Encodable>(_ value: Value) throws {
            encoder.shape = if case .nothing = encoder.shape { .one(Value.self) } else { .other }
            encoder.object = try StoredValue.object(of: value)
        }
    }

    private struct Elements<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: ObjectEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) {}
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            encoder.add(try StoredValue.object(of: value), ElementName(key).text, Value.self)
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            encoder.refuse()
            return KeyedEncodingContainer(DiscardedElements<Nested>())
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            encoder.refuse()
            return Discarded()
        }
        func superEncoder() -> any Encoder { superEncoder(forKey: nil) }
        func superEncoder(forKey key: Key) -> any Encoder { superEncoder(forKey: Optional(key)) }
        private func superEncoder(forKey key: Key?) -> any Encoder {
            encoder.refuse()
            return ObjectEncoder()
        }
    }

    /// A container of what no attribute holds: that it was asked for makes the type one that is encoded as a
    /// whole.
    private struct Discarded: UnkeyedEncodingContainer {
        var codingPath: [any CodingKey] { [] }
        var count: Int { 0 }

        func encodeNil() {}
        func encode<Value: Encodable>(_ value: Value) {}
        func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            KeyedEncodingContainer(DiscardedElements<Key>())
        }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { Discarded() }
        func superEncoder() -> any Encoder { ObjectEncoder() }
    }

    private struct DiscardedElements<Key: CodingKey>: KeyedEncodingContainerProtocol {
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) {}
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) {}
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { KeyedEncodingContainer(DiscardedElements<Nested>()) }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { Discarded() }
        func superEncoder() -> any Encoder { ObjectEncoder() }
        func superEncoder(forKey key: Key) -> any Encoder { ObjectEncoder() }
    }
}
