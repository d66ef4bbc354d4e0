import CoreDataPredicates
public import Foundation

/// A selector by its name: which comparison a sort descriptor uses. Linux has no other use for one.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let description: String

    public init(_ name: String) { description = name }
    public init(stringLiteral value: String) { description = value }
}

/// A sort descriptor by key, as the framework makes them.
final class KeySortDescriptor: NSSortDescriptor {
    let sortKey: SortKey

    init(_ sortKey: SortKey) {
        self.sortKey = sortKey
        super.init(keyPath: \NSNumber.intValue, ascending: sortKey.isAscending)
    }

    required init?(coder: NSCoder) { return nil }

    var keyPathText: String { sortKey.keys.joined(separator: ".") }
    override var reversedSortDescriptor: Any {
        var reversed = sortKey
        reversed.isAscending.toggle()
        return KeySortDescriptor(reversed)
    }

    override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        let (a, b) = (value(object1), value(object2))
        let order = sortKey.collation.order(a, b)
        return ComparisonResult(rawValue: sortKey.isAscending ? order.signum() : -order.signum())
            ?? .orderedSame
    }

    private func value(_ object: Any) -> ExpressionValue {
        KeyPathAccess.expressionValue(of: ExpressionValue(boxing: object), sortKey.keys)
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }
    override func isEqual(_ object: Any?) -> Bool { (object as? KeySortDescriptor)?.sortKey == sortKey }
    override var hash: Int { sortKey.hashValue }
    override var description: String {
        "(\(keyPathText), \(sortKey.isAscending ? "ascending" : "descending"), compare:)"
    }
}

public protocol SortDescriptorKeyInitializable {}

extension NSSortDescriptor: SortDescriptorKeyInitializable {}

extension SortDescriptorKeyInitializable {
    public init(key: String?, ascending: Bool) {
        self.init(key: key, ascending: ascending, selector: nil)
    }

    public init(key: String?, ascending: Bool, selector: Selector?) {
        let collation: SortKey.Collation =
            switch selector?.description {
            case nil, "compare:": .standard
            case "caseInsensitiveCompare:": .caseInsensitive
            case "localizedCompare:": .localized
            case "localizedCaseInsensitiveCompare:": .localizedCaseInsensitive
            case "localizedStandardCompare:": .localizedStandard
            case let name?:
                programmerError("Sort descriptors cannot compare with the selector \(name)")
            }
        let keys = (key ?? "self").split(separator: ".").map(String.init)
        self = KeySortDescriptor(SortKey(keys: keys, isAscending: ascending, collation: collation)) as! Self
    }

    public init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self.init(key: KeyPathNames.name(of: keyPath), ascending: ascending)
    }
}

extension NSSortDescriptor {
    /// The descriptor as a value. One that Foundation made has a key path or a closure no store understands.
    final func sortKey() throws -> SortKey {
        if let own = self as? KeySortDescriptor { return own.sortKey }
        return SortKey(
            keys: KeyPathNames.name(of: keyPath).split(separator: ".").map(String.init),
            isAscending: ascending)
    }
}
