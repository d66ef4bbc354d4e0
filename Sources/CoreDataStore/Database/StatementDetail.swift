/// The amount that a log of statements collects of each; each level includes those below.
package enum StatementDetail: Int, Sendable, Comparable {
    /// Text, time and number of rows.
    case statements = 1
    /// The values of its placeholders.
    case bindings
    /// The rows it returned, which are kept until the statement ends.
    case rows
    /// The database's query plan: one more statement each time.
    case plan

    package static func < (left: StatementDetail, right: StatementDetail) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A registration in the log of statements of all databases.
package protocol StatementListener: Sendable {
    /// Ends the registration.
    func stop()
}
