public import Foundation

/// What a store answers to a request that is not a plain fetch.
open class NSPersistentStoreResult: NSObject {}

/// The answer to a batch insertion: a `Bool`, a count or object IDs, as the request asked.
open class NSBatchInsertResult: NSPersistentStoreResult {
    public let result: Any?
    public let resultType: NSBatchInsertRequestResultType

    init(_ result: Any?, type: NSBatchInsertRequestResultType) {
        self.result = result
        self.resultType = type
    }
}

/// The answer to a batch update: a `Bool`, a count or object IDs, as the request asked.
open class NSBatchUpdateResult: NSPersistentStoreResult {
    public let result: Any?
    public let resultType: NSBatchUpdateRequestResultType

    init(_ result: Any?, type: NSBatchUpdateRequestResultType) {
        self.result = result
        self.resultType = type
    }
}

/// The answer to a batch deletion: a `Bool`, a count or object IDs, as the request asked.
open class NSBatchDeleteResult: NSPersistentStoreResult {
    public let result: Any?
    public let resultType: NSBatchDeleteRequestResultType

    init(_ result: Any?, type: NSBatchDeleteRequestResultType) {
        self.result = result
        self.resultType = type
    }
}
