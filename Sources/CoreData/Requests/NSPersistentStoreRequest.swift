public import Foundation

/// What a request asks of a store.
public enum NSPersistentStoreRequestType: UInt, @unchecked Sendable {
    case fetchRequestType = 1
    case saveRequestType = 2
    case batchInsertRequestType = 5
    case batchUpdateRequestType = 6
    case batchDeleteRequestType = 7
}

/// A question or an order to the stores of a coordinator.
///
/// Kinds of request are subclasses; a context executes them.
open class NSPersistentStoreRequest: NSObject, NSCopying {
    public override init() {}

    /// The stores to ask; nil means all that hold the entity in question.
    open var affectedStores: [NSPersistentStore]?

    open var requestType: NSPersistentStoreRequestType {
        programmerError("\(type(of: self)) must override requestType.")
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        programmerError("\(type(of: self)) must override copy(with:).")
    }
}
