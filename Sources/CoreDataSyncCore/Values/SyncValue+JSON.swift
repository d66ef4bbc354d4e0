package import CoreDataJSON

extension SyncValue {
    /// The value as JSON. What JSON has no type for is an object with one member whose name begins with `$`.
    package var exported: JSONValue {
        func tagged(_ name: String, _ text: String) -> JSONValue { .object([.init(name, .string(text))]) }
        switch self {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .double(let bits):
            let value = Double(bitPattern: bits)
            return value.isFinite ? .double(value) : tagged("$double", "\(value)")
        case .decimal(let value): return tagged("$decimal", value.text)
        case .string(let text): return .string(text)
        // Seconds since 2001-01-01.
        case .date(let bits): return tagged("$date", "\(Double(bitPattern: bits))")
        case .data(let bytes): return WireValue.bytes(bytes).json
        case .uuid(let id): return tagged("$uuid", id.description)
        case .uri(let text): return tagged("$uri", text)
        case .reference(let id): return tagged("$object", id.description)
        case .blob(let hash, let size):
            return .object([
                .init("$blob", .string(BlobHash(hash)?.text ?? "")),
                .init("size", .integer(Int64(clamping: size))),
            ])
        case .position(let owner, let key):
            return .object([
                .init("$owner", .string(owner.description)),
                .init("key", .array(key.bytes.map { .integer(Int64($0)) })),
            ])
        case .composite(let elements):
            return .object(elements.map { .init($0.name, $0.value.exported) })
        }
    }
}
