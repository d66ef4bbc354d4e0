package import CoreDataPredicates

extension SQLiteDialect {
    package func canSearch(_ query: FullTextQuery.Node) -> Bool { true }

    package func search(
        _ table: SearchTable, in columns: [SQLIdentifier], for query: FullTextQuery.Node
    ) -> SQLFragment {
        var expression = query.fts5
        let searched = table.columns.filter(columns.contains)
        if searched.count < table.columns.count {
            let names = searched.map(\.quoted).joined(separator: " ")
            expression = "{\(names)} : (\(expression))"
        }
        return "SELECT rowid FROM \(table.name) WHERE \(table.name) MATCH \(bind: .text(expression))"
    }
}

extension FullTextQuery.Node {
    /// The query in the language of FTS5, with all words in quotes, so that none is taken for an operator.
    fileprivate var fts5: String {
        switch self {
        case .phrase(let words, let isPrefix): "\"\(words.text)\"\(isPrefix ? " *" : "")"
        case .all(let nodes): nodes.map(\.enclosed).joined(separator: " AND ")
        case .any(let nodes): nodes.map(\.enclosed).joined(separator: " OR ")
        case .excluding(let node, let excluded): "\(node.enclosed) NOT \(excluded.enclosed)"
        }
    }

    private var enclosed: String {
        if case .phrase = self { fts5 } else { "(\(fts5))" }
    }
}
