package import CoreDataValues

/// What a coordinator asks of a store. No managed object crosses this line.
package protocol StoreBackend: AnyObject, Sendable {
    /// What matches, in the shape asked for. A part that the store has no words for throws `inexpressible`.
    func fetch(_ query: FetchQuery) throws(StoreError) -> FetchResult
    /// The query divided into what the store can answer and what is left for memory. Throws for parts that make no
    /// sense anywhere: unknown keys, transient properties.
    func split(_ query: FetchQuery) throws(StoreError) -> QuerySplit
    /// The committed row, or nil if it is gone.
    func snapshot(for row: ObjectReference) throws(StoreError) -> Snapshot?
    /// The committed rows that exist, in any order: a batch of faults in one statement.
    func snapshots(for rows: [ObjectReference]) throws(StoreError) -> [Snapshot]
    /// The rows on the far side of a to-many, in order if it is ordered.
    func related(_ slot: Int, of row: ObjectReference) throws(StoreError) -> [ObjectReference]
    /// The same for many rows that have the relationship in common, by the key of the row, in one statement. Rows
    /// without members have no entry.
    func related(_ slot: Int, ofEach rows: [ObjectReference]) throws(StoreError) -> [Int64: [ObjectReference]]
    /// The same, whole: in one statement what members and their rows would take two. Nil where it takes as many.
    func relatedRows(_ slot: Int, ofEach rows: [ObjectReference]) throws(StoreError) -> RelatedRows?
    /// Permanent references for `count` rows of each entity, handed out once and for all.
    func allocateKeys(_ count: [EntityIndex: Int]) throws(StoreError) -> [EntityIndex: [ObjectReference]]
    /// Writes everything or nothing. Inserted rows that already have permanent keys keep them.
    ///
    /// Rows may be borrowed from live objects. A backend that calls application code must copy the change set
    /// first (`ChangeSet.keepingRows`).
    func commit(_ changes: ChangeSet) throws(StoreError) -> CommitReceipt
    /// Lets the reads that follow see everything that anybody has committed by now: those of single rows may
    /// otherwise be a moment behind.
    func expireReads()
    /// Ends the store's use of its files.
    func close()
}

extension StoreBackend {
    package func relatedRows(_ slot: Int, ofEach rows: [ObjectReference]) throws(StoreError) -> RelatedRows? {
        nil
    }
}
