import CoreDataPredicates
public import Foundation

/// A protocol to which only `NSSortDescriptor` conforms, so that an initializer can return a subclass.
///
/// Swift allows that only in a protocol's extension.
public protocol SortDescriptorKeyInitializable {}

extension NSSortDescriptor: SortDescriptorKeyInitializable {}

extension SortDescriptorKeyInitializable {
    /// Makes a sort descriptor by the values at a key path; nil stands for the object itself.
    ///
    /// Strings are compared by their code units.
    public init(key: String?, ascending: Bool) {
        self.init(key: key, ascending: ascending, selector: nil)
    }

    /// Makes a sort descriptor by the values at a key path, with one of the comparisons of strings that
    /// Foundation names (`.localizedStandardCompare` and others).
    ///
    /// Traps on another selector.
    public init(key: String?, ascending: Bool, selector: Selector?) {
        guard let collation = SortKey.Collation(selector: selector) else {
            programmerError(
                "a sort descriptor cannot compare with the selector \(selector?.description ?? "nil")")
        }
        self = KeySortDescriptor(SortKey(key, isAscending: ascending, collation)) as! Self
    }

    /// Makes a sort descriptor by a Swift key path, also to a property whose type Foundation cannot compare,
    /// such as an optional of a managed class.
    ///
    /// Traps if the key path leads to no property of a model, or to one of a target without the plugin.
    public init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self.init(key: KeyPathNames.name(of: keyPath), ascending: ascending)
    }

    /// Makes a sort descriptor that compares the values at a key path with a closure.
    ///
    /// Unlike Apple's: a fetch may use it. It sorts in memory, after the store has answered, as no store can
    /// call a closure.
    public init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
        let compare = CallerIsolation.keeping(cmptr)
        let block = ComparatorBlock { left, right in compare(left, right).rawValue }
        self = KeySortDescriptor(SortKey(key, isAscending: ascending, .comparator(block))) as! Self
    }

    /// The key path whose values are compared; nil for a descriptor of a class that has none.
    public var key: String? {
        switch self {
        case let descriptor as KeySortDescriptor: descriptor.text
        case let descriptor as NSSortDescriptor: KeyPathNames.name(of: descriptor.keyPath)
        default: nil
        }
    }

    /// The comparison, as a selector; nil for a closure.
    public var selector: Selector? {
        guard let own = self as? KeySortDescriptor else { return "compare:" }
        return own.comparison
    }

    /// Does nothing: decoded sort descriptors can be used at once.
    public func allowEvaluation() {}
}

extension NSSortDescriptor {
    /// Returns the descriptor as a value.
    ///
    /// A descriptor that Foundation made is converted by its key path, since Foundation does not tell whether
    /// it has a closure.
    final func sortKey() throws -> SortKey {
        if let own = self as? KeySortDescriptor { return own.sortKey }
        return SortKey(KeyPathNames.name(of: keyPath), isAscending: ascending, .standard)
    }
}
