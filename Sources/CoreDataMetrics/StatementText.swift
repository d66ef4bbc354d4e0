#if Metrics
/// The text of a statement, as far as it can be shown.
package struct StatementText: Sendable {
    /// The text with a placeholder for each quoted text.
    package let shown: String

    /// Fails for a text without placeholders, such as the definition of a table with the defaults of its columns.
    package init?(_ sql: String) {
        guard sql.contains("?") else { return nil }
        // A quote within a quoted text is written as two, which end one text and begin another.
        let parts = sql.split(separator: "'", omittingEmptySubsequences: false)
        shown = parts.enumerated()
            .map { place, part in place.isMultiple(of: 2) ? String(part) : "?" }
            .joined()
    }
}
#endif
