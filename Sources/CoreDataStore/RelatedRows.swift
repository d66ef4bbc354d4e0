/// The members of a to-many of several owners as rows: those of one owner after those of another, in order if the
/// relationship is ordered. A row that is a member of several comes as often.
package struct RelatedRows {
    package private(set) var rows: [Snapshot] = []
    /// Where the members of an owner lie, by its key. Owners without members have no entry.
    package private(set) var places: [Int64: Range<Int>] = [:]
    /// The owner whose members came last, and where they begin.
    private var last: (owner: Int64, start: Int)?

    package init() {}

    package mutating func append(_ row: Snapshot, of owner: Int64) {
        if last?.owner != owner {
            finish()
            last = (owner, rows.count)
        }
        rows.append(row)
    }

    /// To be called after the last row.
    package mutating func finish() {
        if let last { places[last.owner] = last.start..<rows.count }
    }
}
