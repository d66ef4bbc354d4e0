/// The form in which a database keeps a history.
package enum HistoryForm: Sendable, Equatable {
    /// One transaction writes at a time. A column has values of any type.
    case serial
    /// Many transactions write at the same time, and none waits for the history of another. A column has values
    /// of one type.
    case concurrent
}
