import CoreData

/// The conversion of values of `Codable` types into what attributes of Core Data hold, and back.
enum StoredValue {
    /// Returns a value as an attribute of its type's layout holds it; nil for an optional without one.
    static func object<Value: Encodable>(of value: Value) throws -> Any? {
        if let optional = value as? any OptionalType {
            return try (optional.content as? any Encodable).flatMap { try object(of: $0) }
        }
        if let stored = StoredType(of: Value.self) { return stored.boxed(value) }
        guard let type = Value.self as? any Codable.Type, let layout = try? ValueLayout.of(type) else {
            return try bytes(of: value)
        }
        if case .bytes = layout { return try bytes(of: value) }
        return try parts(of: value)
    }

    /// Returns what a value encodes itself as, one value or named elements.
    private static func parts(of value: some Encodable) throws -> Any? {
        let encoder = ObjectEncoder()
        try value.encode(to: encoder)
        if case .other = encoder.shape {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: [],
                    debugDescription: "it is encoded in another form than others of its type"))
        }
        return encoder.object
    }

    /// Returns a value as JSON whose keys are sorted, so that equal values have equal bytes.
    static func bytes(of value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try encoder.encode(value)
    }

    /// Returns the value that an attribute holds.
    ///
    /// - Throws: `DecodingError` if the attribute holds no value of the type.
    static func value<Value: Decodable>(
        _ type: Value.Type, from object: Any, at path: [any CodingKey] = []
    ) throws -> Value {
        if !(type is any OptionalType.Type), let stored = StoredType(of: type) {
            let parts = object as? [String: Any]
            let single = parts?.count == 1 ? parts!.first!.value : object
            if let value = stored.unboxed(single, as: type) { return value }
            throw DecodingError.typeMismatch(
                type, DecodingError.Context(codingPath: path, debugDescription: "\(object) is no \(type)"))
        }
        if let data = object as? Data { return try value(type, decoding: data) }
        return try Value(from: ObjectDecoder(object, at: path))
    }

    /// Decodes JSON, a property list or an archive, of which the first bytes tell which it is.
    private static func value<Value: Decodable>(_ type: Value.Type, decoding data: Data) throws -> Value {
        guard data.starts(with: Data("bplist".utf8)) else {
            let decoder = JSONDecoder()
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            return try decoder.decode(type, from: data)
        }
        let classes: [AnyClass] = [
            NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
            NSData.self, NSUUID.self, NSURL.self,
        ]
        if let archived = try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) {
            let content = (archived as? NSSet)?.allObjects ?? archived
            return try Value(from: ObjectDecoder(content))
        }
        return try PropertyListDecoder().decode(type, from: data)
    }
}
