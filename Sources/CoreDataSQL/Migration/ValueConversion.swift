import CoreDataModelFormat
import CoreDataValues

/// The conversion of a value between two types whose stored forms differ.
enum ValueConversion: Hashable {
    case integer
    case real
    case flag
    /// The conversion of bytes of an attribute that now allows external storage; `unmarked` is for one that
    /// no longer does (sqlite-store §6).
    case marked
    case unmarked

    func sql(_ column: SQLText) -> SQLText {
        switch self {
        case .integer: "CAST(\(column) AS INTEGER)"
        case .real: "CAST(\(column) AS REAL)"
        case .flag: "(\(column) != 0)"
        case .marked: "CASE WHEN \(column) IS NOT NULL THEN CAST(x'01' || \(column) AS BLOB) END"
        case .unmarked: "\(SQLFunctionNames.contents)(\(column))"
        }
    }

    /// Finds the conversion; nil if the stored forms are equal.
    init?(from old: AttributeSlot, to new: AttributeSlot) {
        if old.allowsExternalStorage != new.allowsExternalStorage, old.type.hasBytes {
            self = new.allowsExternalStorage ? .marked : .unmarked
            return
        }
        switch new.type {
        case old.type: return nil
        case .boolean: self = .flag
        case .integer16, .integer32, .integer64:
            if old.type.declaredType == new.type.declaredType { return nil }
            self = .integer
        case .double, .float:
            if old.type.declaredType == new.type.declaredType { return nil }
            self = .real
        default: return nil
        }
    }
}

extension AttributeType {
    /// Whether the type's values may be in external files.
    fileprivate var hasBytes: Bool { self == .binary || self == .transformable }
}
