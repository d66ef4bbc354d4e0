/// The columns of indexes.
///
/// PostgreSQL refuses a row whose values in an index take more than 2704 bytes. Of a text, an index therefore
/// has the beginning, which takes at most 4 bytes a character, and only three of the texts.
extension PostgreSQLDialect {
    package var indexedTextLength: Int? { 200 }
    private static let mostTexts = 3

    package func beginning(of text: SQLFragment) -> SQLFragment { "substr(\(text), 1, 200)" }

    /// Spells the columns as `order(by:collation:isAscending:isNullable:)` spells a sort key, since an index
    /// with nulls at the other end would not help to sort. The words are those in which the database repeats a
    /// definition.
    package func indexed(_ columns: [IndexedColumn], isUnique: Bool) -> SQLText {
        let keys = Self.keys(columns).map { key, column -> SQLText in
            if column.name == NameMangling.key { return column.isAscending ? key : "\(key) DESC" }
            return column.isAscending ? "\(key) NULLS FIRST" : "\(key) DESC NULLS LAST"
        }
        return (keys + (isUnique ? Self.digests(columns) : [])).joined(separator: ", ")
    }

    private static func keys(_ columns: [IndexedColumn]) -> [(SQLText, IndexedColumn)] {
        let others = Set(columns.filter(\.isText).dropFirst(mostTexts))
        return columns.filter { !others.contains($0) }.map { column in
            (column.isText ? "substr(\(column.name), 1, 200)" : "\(column.name)", column)
        }
    }

    /// Spells a digest of each text, which is empty if the beginning is all of the text.
    private static func digests(_ columns: [IndexedColumn]) -> [SQLText] {
        columns.filter(\.isText).enumerated().map { index, column in
            index < mostTexts
                ? "substr(md5(\(column.name)), 1, length(\(column.name)) / 201 * 32)"
                : "md5(\(column.name))"
        }
    }
}
