import CoreDataModelFormat
import CoreDataValues

/// The attribute by whose value people know the objects of an entity.
enum TitleAttribute {
    /// Names that mostly mean it, best first.
    private static let usual = [
        "title", "name", "displayName", "fullName", "label", "subject", "headline", "text", "word", "email",
        "url", "path", "filename", "identifier",
    ]

    /// Returns the attribute; nil for an entity without texts.
    static func slot(of entity: CompiledEntity) -> PropertySlot? {
        let texts = entity.slots.filter { $0.column != nil && $0.attribute?.type == .string }
        for name in usual {
            if let slot = texts.first(where: { $0.name.lowercased() == name.lowercased() }) { return slot }
        }
        return texts.first { slot in usual.contains { slot.name.lowercased().hasSuffix($0.lowercased()) } }
            ?? texts.min { $0.name < $1.name }
    }
}
