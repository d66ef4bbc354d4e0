package import CoreDataPredicates

/// Full-text indexes: a table beside that of the entity, whose columns have the words of one attribute each, as
/// `FullTextWords` finds them, so that all stores find the same objects.
extension PostgreSQLDialect {
    /// Returns the statements that make the table, from which the database removes a row together with the
    /// object's.
    package func definitions(of index: SearchTable) -> [(name: SQLIdentifier, statement: SQLText)] {
        let words = SQLIdentifier("\(index.name)_W")
        let columns = index.columns.map { ", \($0) tsvector" as SQLText }.joined()
        return [
            (
                index.name,
                """
                CREATE TABLE \(index.name) (Z_PK bigint PRIMARY KEY \
                REFERENCES \(index.source) ON UPDATE CASCADE ON DELETE CASCADE\(columns))
                """
            ),
            (
                words,
                "CREATE INDEX \(words) ON \(index.name) USING gin (\(index.columns.joined(separator: ", ")))"
            ),
        ]
    }

    package func wordUpdate(of index: SearchTable) -> SQLText? {
        let names = index.columns.indices.map { "c\($0)" as SQLText }
        let values = names.map { "array_to_tsvector(string_to_array(v.\($0), ' '))" as SQLText }
        let arrays = names.map { _ in SQLText(.texts) }
        let updates = index.columns.map { "\($0) = excluded.\($0)" as SQLText }
        return """
            INSERT INTO \(index.name) (Z_PK, \(index.columns.joined(separator: ", "))) \
            SELECT v.k, \(values.joined(separator: ", ")) \
            FROM unnest(\(SQLText(.integers)), \(arrays.joined(separator: ", "))) AS v (k, \(names.joined(separator: ", "))) \
            ON CONFLICT (Z_PK) DO UPDATE SET \(updates.joined(separator: ", "))
            """
    }

    /// Words have no order in an index, and long ones are cut.
    package func canSearch(_ query: FullTextQuery.Node) -> Bool {
        switch query {
        case .phrase(let words, _):
            words.count == 1 && words.text.utf8.count < FullTextWords.longestIndexed
        case .all(let nodes), .any(let nodes): nodes.allSatisfy(canSearch)
        case .excluding(let node, let excluded): canSearch(node) && canSearch(excluded)
        }
    }

    package func search(
        _ table: SearchTable, in columns: [SQLIdentifier], for query: FullTextQuery.Node
    ) -> SQLFragment {
        "SELECT Z_PK FROM \(table.name) WHERE \(condition(query, columns))"
    }

    /// Spells the condition on the words of columns, in any of which each word may be.
    private func condition(_ query: FullTextQuery.Node, _ columns: [SQLIdentifier]) -> SQLFragment {
        if columns.count == 1 { return "\(columns[0]) @@ CAST(\(bind: .text(query.tsquery)) AS tsquery)" }
        switch query {
        case .phrase: return "(\(columns.map { condition(query, [$0]) }.joined(separator: " OR ")))"
        case .all(let nodes): return "(\(nodes.map { condition($0, columns) }.joined(separator: " AND ")))"
        case .any(let nodes): return "(\(nodes.map { condition($0, columns) }.joined(separator: " OR ")))"
        case .excluding(let node, let excluded):
            return "(\(condition(node, columns)) AND NOT \(condition(excluded, columns)))"
        }
    }
}

extension FullTextQuery.Node {
    /// The query in the language of PostgreSQL, with all words in quotes. They have letters and digits only.
    fileprivate var tsquery: String {
        switch self {
        case .phrase(let words, let isPrefix): "'\(words.text)'\(isPrefix ? ":*" : "")"
        case .all(let nodes): "( \(nodes.map(\.tsquery).joined(separator: " & ")) )"
        case .any(let nodes): "( \(nodes.map(\.tsquery).joined(separator: " | ")) )"
        case .excluding(let node, let excluded): "( \(node.tsquery) & ! \(excluded.tsquery) )"
        }
    }
}
