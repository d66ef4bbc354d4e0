import CoreData
import Synchronization

/// The columns that a store has for the values of a `Codable` type.
enum ValueLayout: Sendable {
    /// One column of a stored type: for what stores know, for enumerations without associated values, and for
    /// types that encode themselves as one such value.
    case column(StoredType)
    /// A composite attribute: for types that encode themselves as named elements, always the same ones.
    case elements([Element])
    /// One column with the encoded value: for all other types, collections among them.
    case bytes

    /// One named part of a value.
    struct Element: Sendable {
        let name: String
        /// The declared type, without its optional.
        let wrapped: Any.Type
        let layout: ValueLayout
        let isOptional: Bool

        /// The declared type.
        var type: Any.Type {
            func optional<Value>(_ type: Value.Type) -> Any.Type { Value?.self }
            return isOptional ? optional(wrapped) : wrapped
        }

        var mayBeMissing: Bool { isOptional || layout.mayBeEmpty }
    }

    /// Whether a value may have none in any element, which no composite tells from nil.
    var mayBeEmpty: Bool {
        guard case .elements(let elements) = self else { return false }
        return elements.allSatisfy(\.mayBeMissing)
    }

    /// Returns the layout of a type without its optional.
    ///
    /// - Throws: `Obstacle` for a type that cannot be stored.
    static func of(_ type: any Codable.Type) throws(Obstacle) -> ValueLayout {
        let key = ObjectIdentifier(type)
        if let known = known.withLock({ $0[key] }) { return known }
        let found = try read(type)
        known.withLock { $0[key] = found }
        return found
    }

    /// A type that cannot be stored, and where it is.
    struct Obstacle: Error {
        let type: Any.Type
        /// The names that lead to it, within the type that was asked for.
        var path: [String] = []
    }

    private static let known = Mutex<[ObjectIdentifier: ValueLayout]>([:])

    private static func read<Value: Codable>(_ type: Value.Type) throws(Obstacle) -> ValueLayout {
        if let stored = StoredType(of: type) { return .column(stored) }
        let element = ValueType(type).element
        if element is AnyClass { throw Obstacle(type: element) }
        let decoder = PlaceholderDecoder(types: [type], .first)
        let encoder = ObjectEncoder()
        // A type that reads other elements than it writes, or checks them, is encoded as a whole.
        guard let value = try? Value(from: decoder), (try? value.encode(to: encoder)) != nil else {
            return .bytes
        }
        switch (decoder.shape, encoder.shape) {
        case (.one(let read), .one(let written)) where read == written:
            return StoredType(of: read).map { .column($0) } ?? .bytes
        case (.elements(let read), .elements(let written))
        where !read.isEmpty
            && written.allSatisfy { name, type in
                read.contains { $0.name == name && $0.type == type }
            } && read.allSatisfy { written[$0.name] != nil }:
            return .elements(try elements(read))
        default: return .bytes
        }
    }

    private static func elements(_ parts: [PlaceholderDecoder.Part]) throws(Obstacle) -> [Element] {
        var elements: [Element] = []
        for part in parts {
            guard let type = part.type as? any Codable.Type else { throw Obstacle(type: part.type) }
            do throws(Obstacle) {
                elements.append(
                    Element(name: part.name, wrapped: type, layout: try of(type), isOptional: part.isOptional)
                )
            } catch {
                throw Obstacle(type: error.type, path: [part.name] + error.path)
            }
        }
        return elements
    }
}
