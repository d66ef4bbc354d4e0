import CoreDataPredicates
public import Foundation

extension SortDescriptor where Compared: NSManagedObject {
    /// A Swift sort descriptor by the key of another. Nil for what Swift's cannot say: a closure, a path over
    /// relationships, a property that is not declared in the class or whose values have no order, and the comparisons of
    /// strings that Foundation lacks on Linux.
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

/// A type of properties that Swift can sort by.
private protocol SortableValue {
    /// Nil if the key path is not one to a value of this type.
    static func descriptor<Root>(_ keyPath: AnyKeyPath, _ order: SortOrder, of root: Root.Type) -> Any?
}

/// A key path to a property captures nothing.
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
