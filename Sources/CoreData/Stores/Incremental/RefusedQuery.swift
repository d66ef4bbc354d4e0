/// The answer of an incremental store to a fetch request whose condition or order it cannot apply: the
/// framework tests and sorts in memory then.
package struct RefusedQuery: Error {
    let reason: String

    /// Makes the answer.
    ///
    /// - Parameter reason: What the store cannot do.
    package init(_ reason: String) { self.reason = reason }
}
