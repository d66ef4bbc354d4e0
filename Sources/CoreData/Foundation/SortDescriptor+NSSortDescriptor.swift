import CoreDataPredicates
public import Foundation

extension SortDescriptor where Compared: NSManagedObject {
    /// Makes a Swift sort descriptor from one by key.
    ///
    /// Nil for a descriptor that Swift's cannot express: a closure, a path over relationships, a property
    /// that is not declared in the class or whose values have no order.
    ///
    /// Unlike Apple's: nil also for the comparisons of strings that Foundation lacks on Linux, which are all
    /// but the one by value.
    public init?(_ descriptor: NSSortDescriptor, comparing comparedType: Compared.Type) {
        guard let sortKey = try? descriptor.sortKey(), sortKey.collation == .standard,
            let key = descriptor.key,
            let keyPath = ManagedClasses.keyPath(to: key, of: comparedType),
            let value = Swift.type(of: keyPath).valueType as? any SortableValue.Type
        else { return nil }
        let order: SortOrder = sortKey.isAscending ? .forward : .reverse
        guard let made = value.descriptor(keyPath, order, of: comparedType) as? Self else { return nil }
        self = made
    }
}

/// A type of property that Swift can sort by.
private protocol SortableValue {
    /// Returns a descriptor; nil if the key path does not lead to a value of this type.
    static func descriptor<Root>(_ keyPath: AnyKeyPath, _ order: SortOrder, of root: Root.Type) -> Any?
}

/// Returns the key path as a sendable one: one to a property captures nothing.
private func sendable<Root, Value>(
    _ keyPath: AnyKeyPath, _ root: Root.Type, _ value: Value.Type
) -> (any KeyPath<Root, Value> & Sendable)? {
    (keyPath as? KeyPath<Root, Value>).map {
        unsafeBitCast($0, to: (any KeyPath<Root, Value> & Sendable).self)
    }
}

extension SortableValue where Self: Comparable {
    static func descriptor<Root>(_ keyPath: AnyKeyPath, _ order: SortOrder, of root: Root.Type) -> Any? {
        sendable(keyPath, Root.self, Self.self).map { SortDescriptor<Root>($0, order: order) }
    }
}

extension Optional: SortableValue where Wrapped: SortableValue & Comparable {
    fileprivate static func descriptor<Root>(
        _ keyPath: AnyKeyPath, _ order: SortOrder, of root: Root.Type
    ) -> Any? {
        sendable(keyPath, Root.self, Self.self).map { SortDescriptor<Root>($0, order: order) }
    }
}

extension Int: SortableValue {}
extension Int16: SortableValue {}
extension Int32: SortableValue {}
extension Int64: SortableValue {}
extension Float: SortableValue {}
extension Double: SortableValue {}
extension Decimal: SortableValue {}
extension Date: SortableValue {}
extension UUID: SortableValue {}
extension String: SortableValue {}
