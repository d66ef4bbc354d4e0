/// The full-text index as a table of FTS5, with the triggers that keep it up to date.
///
/// The index has a copy of the texts. It could read them from the entity's table (an external content table),
/// but would then have to be told a row's former values whenever the row changes. A writer that replaces
/// rows, or a trigger that derives a text before those of the index run, would leave words in it for good.
/// Instead, a changed row is removed and indexed anew, which corrects whatever was there before.
extension SearchTable {
    /// The statements that make the table and its triggers, by name.
    var definitions: [(name: SQLIdentifier, statement: SQLText)] {
        [
            (name, table), (trigger("INSERT"), insertTrigger), (trigger("UPDATE"), updateTrigger),
            (trigger("DELETE"), deleteTrigger),
        ]
    }

    /// The statement that indexes the existing rows.
    package var fill: SQLFragment { SQLFragment("\(write) WHERE \(hasText)") }

    // MARK: Definitions

    private var list: SQLText { columns.joined(separator: ", ") }

    private func trigger(_ event: String) -> SQLIdentifier { SQLIdentifier("\(name)_\(event)") }

    private var table: SQLText {
        "CREATE VIRTUAL TABLE \(name) USING fts5(\(list), tokenize = 'unicode61 remove_diacritics 2')"
    }

    private var write: SQLText {
        "INSERT OR REPLACE INTO \(name) (rowid, \(list)) SELECT Z_PK, \(list) FROM \(source)"
    }

    /// The condition that a row has any text; rows without text are not in the index.
    private var hasText: SQLText {
        "(\(columns.map { "\($0) NOT NULL" as SQLText }.joined(separator: " OR ")))"
    }

    private func rewrite(_ old: SQLText) -> SQLText {
        "DELETE FROM \(name) WHERE rowid = \(old).Z_PK; \(write) WHERE Z_PK = NEW.Z_PK AND \(hasText);"
    }

    private var insertTrigger: SQLText {
        """
        CREATE TRIGGER \(trigger("INSERT")) AFTER INSERT ON \(source) FOR EACH ROW \
        BEGIN \(rewrite("NEW")) END
        """
    }

    private var updateTrigger: SQLText {
        let differs = ([NameMangling.key] + columns).map { "NEW.\($0) IS NOT OLD.\($0)" as SQLText }
            .joined(separator: " OR ")
        return """
            CREATE TRIGGER \(trigger("UPDATE")) AFTER UPDATE OF Z_PK, \(list) ON \(source) FOR EACH ROW \
            WHEN (\(differs)) BEGIN \(rewrite("OLD")) END
            """
    }

    private var deleteTrigger: SQLText {
        """
        CREATE TRIGGER \(trigger("DELETE")) AFTER DELETE ON \(source) FOR EACH ROW \
        BEGIN DELETE FROM \(name) WHERE rowid = OLD.Z_PK; END
        """
    }
}
