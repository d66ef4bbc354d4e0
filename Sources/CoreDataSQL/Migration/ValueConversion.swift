import CoreDataModelFormat
import CoreDataValues

/// The conversion of a value between two types whose stored forms differ.
package enum ValueConversion: Sendable, Equatable {
    case integer
    case real
    case decimal
    case flag
    /// The conversion of bytes of an attribute that now allows external storage; `unmarked` is for one that
    /// no longer does (sqlite-store §6).
    case marked
    case unmarked

    /// Finds the conversion; nil if the stored forms are equal.
    init?(from old: AttributeSlot, to new: AttributeSlot, in dialect: any SQLDialect) {
        if dialect.keepsExternalFiles, old.allowsExternalStorage != new.allowsExternalStorage,
            old.type.hasBytes
        {
            self = new.allowsExternalStorage ? .marked : .unmarked
            return
        }
        let areAlike = dialect.type(of: .attribute(old.type)) == dialect.type(of: .attribute(new.type))
        switch new.type {
        case old.type: return nil
        case .boolean: self = .flag
        case .integer16, .integer32, .integer64:
            if areAlike { return nil }
            self = .integer
        case .double, .float:
            if areAlike { return nil }
            self = .real
        case .decimal:
            // Without types, a column of decimals takes numbers of any form.
            if areAlike || !dialect.hasTypes { return nil }
            self = .decimal
        default: return nil
        }
    }
}

extension AttributeType {
    /// Whether the type's values may be in external files.
    fileprivate var hasBytes: Bool { self == .binary || self == .transformable }
}
