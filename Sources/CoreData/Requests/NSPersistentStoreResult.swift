public import Foundation

/// The answer to a request that is not a plain fetch.
///
/// The abstract base of the results.
open class NSPersistentStoreResult: NSObject {}

/// The answer to a batch insertion.
open class NSBatchInsertResult: NSPersistentStoreResult {
    /// A `Bool`, an `Int` or `[NSManagedObjectID]`, as `resultType` says; cast it to one of these.
    public let result: Any?
    /// The kind of answer that the request asked for.
    public let resultType: NSBatchInsertRequestResultType

    init(_ result: Any?, type: NSBatchInsertRequestResultType) {
        self.result = result
        self.resultType = type
    }
}

/// The answer to a batch update.
open class NSBatchUpdateResult: NSPersistentStoreResult {
    /// A `Bool`, an `Int` or `[NSManagedObjectID]`, as `resultType` says; cast it to one of these.
    public let result: Any?
    /// The kind of answer that the request asked for.
    public let resultType: NSBatchUpdateRequestResultType

    init(_ result: Any?, type: NSBatchUpdateRequestResultType) {
        self.result = result
        self.resultType = type
    }
}

/// The answer to a batch deletion.
///
/// Rows that a cascade rule deleted are counted and listed, too.
open class NSBatchDeleteResult: NSPersistentStoreResult {
    /// A `Bool`, an `Int` or `[NSManagedObjectID]`, as `resultType` says; cast it to one of these.
    public let result: Any?
    /// The kind of answer that the request asked for.
    public let resultType: NSBatchDeleteRequestResultType

    init(_ result: Any?, type: NSBatchDeleteRequestResultType) {
        self.result = result
        self.resultType = type
    }
}
