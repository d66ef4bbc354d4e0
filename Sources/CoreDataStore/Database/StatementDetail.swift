/// The level of detail with which a log reports each statement. Each level includes the ones before it.
package enum StatementDetail: Int, Sendable, Comparable {
    /// The text, the time and the number of rows.
    case statements = 1
    /// The values of the placeholders.
    case bindings
    /// The rows that were returned, which are kept until the statement ends.
    case rows
    /// The database's query plan, which takes one more statement each time.
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
