import CoreData
import CoreDataModelFormat
import CoreDataPredicates

/// A sort criterion as the user typed it: a key path, then words separated by colons.
struct SortText {
    let keyPath: String
    let isAscending: Bool
    private let selector: Selector?

    init(_ text: String, of entity: CompiledEntity, in model: StoreModel) throws(ToolError) {
        let parts = text.split(separator: ":").map(String.init)
        keyPath = parts.first ?? ""
        let path = try PropertyPath(keyPath, of: entity, in: model)
        guard !path.isToMany else {
            throw ToolError("\(keyPath) has many values: sort by one, or by its @count")
        }
        var (isAscending, selector): (Bool, Selector?) = (true, nil)
        for word in parts.dropFirst() {
            switch word {
            case "asc": isAscending = true
            case "desc": isAscending = false
            case "insensitive": selector = .caseInsensitiveCompare
            case "localized": selector = .localizedStandardCompare
            default:
                throw ToolError("\"\(word)\" in \"\(text)\" is none of asc, desc, insensitive and localized")
            }
        }
        (self.isAscending, self.selector) = (isAscending, selector)
    }

    var descriptor: NSSortDescriptor {
        guard let selector else { return NSSortDescriptor(key: keyPath, ascending: isAscending) }
        return NSSortDescriptor(key: keyPath, ascending: isAscending, selector: selector)
    }

    /// The sort key for the layers below the framework.
    var key: SortKey {
        let collation: SortKey.Collation =
            switch selector {
            case .caseInsensitiveCompare?: .caseInsensitive
            case .localizedStandardCompare?: .localizedStandard
            default: .standard
            }
        return SortKey(
            keys: keyPath.split(separator: ".").map(String.init), isAscending: isAscending,
            collation: collation)
    }
}
