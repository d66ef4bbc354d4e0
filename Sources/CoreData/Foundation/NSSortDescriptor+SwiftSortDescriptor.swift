import CoreDataPredicates
public import Foundation

extension SortDescriptorKeyInitializable {
    /// Makes a sort descriptor from a Swift one, by its key path.
    ///
    /// Traps if the key path leads to no property of a model.
    ///
    /// Unlike Apple's: strings are compared by value, the only comparison that Foundation has for them on
    /// Linux.
    public init<Root: NSObjectProtocol>(_ sortDescriptor: SortDescriptor<Root>) {
        guard let keyPath = sortDescriptor.keyPath else {
            programmerError("\(sortDescriptor) has no key path to a property of \(Root.self)")
        }
        let sortKey = SortKey(
            KeyPathNames.name(of: keyPath), isAscending: sortDescriptor.order == .forward, .standard)
        self = KeySortDescriptor(sortKey) as! Self
    }
}

extension Array where Element == NSSortDescriptor {
    /// Makes sort descriptors for requests from Swift ones.
    ///
    /// Traps if a key path leads to no property of a model.
    public init<Root: NSObjectProtocol>(_ sortDescriptors: [SortDescriptor<Root>]) {
        self = sortDescriptors.map { NSSortDescriptor($0) }
    }
}

extension NSSortDescriptor {
    /// Returns the descriptor for requests of a Swift descriptor on any kind of model; nil if its key path
    /// leads to no property.
    package static func translated<Root>(_ descriptor: SortDescriptor<Root>) -> NSSortDescriptor? {
        guard let name = descriptor.keyPath.flatMap(KeyPathNames.knownName) else { return nil }
        return KeySortDescriptor(SortKey(name, isAscending: descriptor.order == .forward, .standard))
    }
}
