/// A type by the name under which the runtime finds it, in this program or in another one that has it.
struct TypeName: Codable {
    let type: Any.Type

    init(_ type: Any.Type) { self.type = type }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let name = try value.decode(String.self)
        guard let type = _typeByName(name) else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "the program has no type with the mangled name \(name)")
        }
        self.type = type
    }

    func encode(to encoder: any Encoder) throws {
        guard let name = _mangledTypeName(type) else {
            throw EncodingError.invalidValue(
                type,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: "\(type) has no name outside of the program"))
        }
        var value = encoder.singleValueContainer()
        try value.encode(name)
    }
}
