import CoreDataPredicates
public import Foundation

/// Lets an initializer of `NSSortDescriptor` hand back a subclass, which only a protocol's extension may do.
public protocol SortDescriptorKeyInitializable {}

extension NSSortDescriptor: SortDescriptorKeyInitializable {}

extension SortDescriptorKeyInitializable {
    public init(key: String?, ascending: Bool) {
        self.init(key: key, ascending: ascending, selector: nil)
    }

    /// `selector` is one of the comparisons of strings that Foundation names; any other traps.
    public init(key: String?, ascending: Bool, selector: Selector?) {
        guard let collation = SortKey.Collation(selector: selector) else {
            programmerError(
                "a sort descriptor cannot compare with the selector \(selector?.description ?? "nil")")
        }
        self = KeySortDescriptor(SortKey(key, isAscending: ascending, collation)) as! Self
    }

    /// By a property whose type Foundation cannot compare, such as an optional of a managed class.
    public init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self.init(key: KeyPathNames.name(of: keyPath), ascending: ascending)
    }

    /// Fetches sort by it in memory, after the store has answered: no store can call a closure.
    public init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
        let compare = CallerIsolation.keeping(cmptr)
        let block = ComparatorBlock { left, right in compare(left, right).rawValue }
        self = KeySortDescriptor(SortKey(key, isAscending: ascending, .comparator(block))) as! Self
    }

    public var key: String? {
        switch self {
        case let descriptor as KeySortDescriptor: descriptor.text
        case let descriptor as NSSortDescriptor: KeyPathNames.name(of: descriptor.keyPath)
        default: nil
        }
    }

    public var selector: Selector? {
        guard let own = self as? KeySortDescriptor else { return "compare:" }
        return own.comparison
    }

    public func allowEvaluation() {}
}

extension NSSortDescriptor {
    /// The descriptor as a value. One that Foundation made has a key path or a closure no store understands.
    final func sortKey() throws -> SortKey {
        if let own = self as? KeySortDescriptor { return own.sortKey }
        return SortKey(KeyPathNames.name(of: keyPath), isAscending: ascending, .standard)
    }
}
