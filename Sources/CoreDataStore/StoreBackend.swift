package import CoreDataModelFormat
package import CoreDataValues

/// A store as coordinators use it. No managed object crosses this line.
package protocol StoreBackend: AnyObject, Sendable {
    /// Returns the matches in the shape asked for. Throws `inexpressible` for a part that the store cannot
    /// express.
    func fetch(_ query: FetchQuery) throws(StoreError) -> FetchResult
    /// Divides a query into a part that the store can answer and a part for memory. Throws for parts that
    /// make no sense anywhere: unknown keys, transient properties.
    func split(_ query: FetchQuery) throws(StoreError) -> QuerySplit
    /// Returns the committed row, or nil if it is gone.
    func snapshot(for row: ObjectReference) throws(StoreError) -> Snapshot?
    /// Returns the committed rows that exist, in any order: a batch of faults in one statement.
    func snapshots(for rows: [ObjectReference]) throws(StoreError) -> [Snapshot]
    /// Returns the members of a to-many relationship, in order if it is ordered.
    func related(_ slot: Int, of row: ObjectReference) throws(StoreError) -> [ObjectReference]
    /// Returns the members of one to-many relationship of many owners, by the owner's key, in one statement.
    /// Owners without members have no entry.
    func related(_ slot: Int, ofEach rows: [ObjectReference]) throws(StoreError) -> [Int64: [ObjectReference]]
    /// Returns the rows of the members of one to-many relationship of many owners, in one statement instead
    /// of one for references and one for rows. Nil if the store cannot save a statement.
    func relatedRows(_ slot: Int, ofEach rows: [ObjectReference]) throws(StoreError) -> RelatedRows?
    /// Returns previews of properties of rows of one inheritance tree that exist, by their keys, in the order of
    /// the slots: a page of a list, which costs as much as it shows.
    func previews(
        of rows: [ObjectReference], slots: [PropertySlot]
    ) throws(StoreError) -> [Int64: [ValuePreview]]
    /// Returns permanent references for `count` rows of each entity, which are never handed out again.
    func allocateKeys(_ count: [EntityIndex: Int]) throws(StoreError) -> [EntityIndex: [ObjectReference]]
    /// Writes everything or nothing. Inserted rows that already have permanent keys keep them.
    ///
    /// Rows may be borrowed from live objects. A backend that calls application code must copy the change set
    /// first (`ChangeSet.keepingRows`).
    func commit(_ changes: ChangeSet) throws(StoreError) -> CommitReceipt
    /// Makes later reads see everything that any connection or process has committed by now. Reads of single
    /// rows may be slightly outdated otherwise.
    func expireReads()
    /// Whether a row that was read may be older than one that arrived before it: then versions decide which of
    /// them stays cached.
    var readsMayOvertake: Bool { get }
    /// Ends the store's use of its files.
    func close()
}

/// A store that hands out the references that a query asks for while it reads them, and holds no list of them.
package protocol StreamingBackend: StoreBackend {
    /// Fills a spool with what `fetch` returns for a query of references. Throws the errors of `fetch`, and that
    /// of the spool.
    func fetchReferences(_ query: FetchQuery, into spool: ReferenceSpool) throws(StoreError)
}

extension StoreBackend {
    package func relatedRows(_ slot: Int, ofEach rows: [ObjectReference]) throws(StoreError) -> RelatedRows? {
        nil
    }

    package var readsMayOvertake: Bool { false }
}
