import CoreDataPredicates
import Foundation

/// The sort descriptor by key that the framework makes.
final class KeySortDescriptor: NSSortDescriptor {
    let sortKey: SortKey

    init(_ sortKey: SortKey) {
        self.sortKey = sortKey
        // Never read: the comparing methods are overridden.
        super.init(keyPath: \NSNumber.intValue, ascending: sortKey.isAscending)
    }

    var text: String { sortKey.keys.joined(separator: ".") }

    var comparison: Selector? { sortKey.collation.selector }

    override var reversedSortDescriptor: Any {
        var reversed = sortKey
        reversed.isAscending.toggle()
        return KeySortDescriptor(reversed)
    }

    override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        let order = order(value(object1), value(object2))
        return ComparisonResult(rawValue: sortKey.isAscending ? order : -order) ?? .orderedSame
    }

    /// Compares values in ascending order, not the objects that they are read from.
    override var comparator: Comparator {
        { left, right in
            let order = self.order(ExpressionValue(boxing: left), ExpressionValue(boxing: right))
            return ComparisonResult(rawValue: order) ?? .orderedSame
        }
    }

    private func order(_ left: ExpressionValue, _ right: ExpressionValue) -> Int {
        sortKey.collation.order(left, right).signum()
    }

    private func value(_ object: Any) -> ExpressionValue {
        let managed = object as? NSManagedObject
        let object = managed.map(ExpressionValue.object) ?? ExpressionValue(boxing: object)
        return KeyPathAccess.expressionValue(of: object, sortKey.keys)
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }
    override func isEqual(_ object: Any?) -> Bool { (object as? KeySortDescriptor)?.sortKey == sortKey }
    override var hash: Int { sortKey.hashValue }
    override var description: String {
        "(\(text), \(sortKey.isAscending ? "ascending" : "descending"), \(comparison?.description ?? "comparator"))"
    }

    /// The class that archives name: Apple's.
    override var classForCoder: AnyClass { NSSortDescriptor.self }
}

extension SortKey {
    /// Makes a sort key.
    ///
    /// No key, and `self`, stand for the object itself.
    init(_ path: String?, isAscending: Bool, _ collation: Collation) {
        let keys = (path ?? "self").split(separator: ".").map(String.init)
        self.init(keys: keys, isAscending: isAscending, collation: collation)
    }
}

extension SortKey.Collation {
    /// Makes the comparison with a selector's name; nil if the name is not known.
    init?(selector: Selector?) {
        switch selector?.description {
        case nil, "compare:": self = .standard
        case "caseInsensitiveCompare:": self = .caseInsensitive
        case "localizedCompare:": self = .localized
        case "localizedCaseInsensitiveCompare:": self = .localizedCaseInsensitive
        case "localizedStandardCompare:": self = .localizedStandard
        default: return nil
        }
    }

    /// The name of the comparison; nil for a closure.
    var selector: Selector? {
        switch self {
        case .standard: .compare
        case .caseInsensitive: .caseInsensitiveCompare
        case .localized: .localizedCompare
        case .localizedCaseInsensitive: .localizedCaseInsensitiveCompare
        case .localizedStandard: .localizedStandardCompare
        case .comparator: nil
        }
    }
}
