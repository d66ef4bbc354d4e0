/// The rows of the members of one to-many relationship, grouped by owner, and in order if the relationship is
/// ordered. A row that is a member of several owners is listed once for each.
package struct RelatedRows {
    package private(set) var rows: [Snapshot] = []
    /// The range of each owner's members among the rows, by the owner's key. Owners without members have no
    /// entry.
    package private(set) var ranges: [Int64: Range<Int>] = [:]
    /// The owner whose members are being added, and the index of the first of them.
    private var last: (owner: Int64, start: Int)?

    package init() {}

    package mutating func append(_ row: Snapshot, of owner: Int64) {
        if last?.owner != owner {
            finish()
            last = (owner, rows.count)
        }
        rows.append(row)
    }

    /// Notes the range of the last owner. Must be called after the last row.
    package mutating func finish() {
        if let last { ranges[last.owner] = last.start..<rows.count }
    }
}
