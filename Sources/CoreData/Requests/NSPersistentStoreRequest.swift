public import Foundation

/// The kind of a request.
public enum NSPersistentStoreRequestType: UInt, @unchecked Sendable {
    /// A fetch, or an asynchronous fetch.
    case fetchRequestType = 1
    /// A save that an incremental store receives.
    case saveRequestType = 2
    /// A batch insertion.
    case batchInsertRequestType = 5
    /// A batch update.
    case batchUpdateRequestType = 6
    /// A batch deletion.
    case batchDeleteRequestType = 7
}

/// A request to the stores of a coordinator, executed by a context.
///
/// The abstract base of fetches, batches, saves and requests on history.
open class NSPersistentStoreRequest: NSObject, NSCopying {
    /// Makes a request to all stores that hold its entity.
    public override init() {}

    /// The stores that execute the request; nil, the default, stands for all that hold its entity.
    open var affectedStores: [NSPersistentStore]?

    /// The kind of the request.
    ///
    /// Traps in a subclass that does not override it.
    open var requestType: NSPersistentStoreRequestType {
        programmerError("\(type(of: self)) must override requestType.")
    }

    /// Returns a copy of the request.
    ///
    /// Traps in a subclass that does not override it.
    open func copy(with zone: NSZone? = nil) -> Any {
        programmerError("\(type(of: self)) must override copy(with:).")
    }
}
