import CoreDataModelFormat
package import CoreDataStore
import CoreDataValues

/// The full-text index of one entity table: a table of FTS5 with the texts of all attributes that ask for it,
/// those of subentities included, and the triggers that keep it.
///
/// The index has the texts a second time. It could read them from the entity's table, but then it would have
/// to be told a row's former values whenever it changes; a writer that replaces rows, or a trigger that
/// derives a text before those of the index run, would leave words in it for good. So each row is written
/// again as it is, which corrects whatever was there before.
package struct SearchTable: Sendable, Hashable {
    /// The beginning of the index's names: Apple's framework has no names that do not begin with Z or A and
    /// owns no triggers under this one.
    package static let prefix = "FULLTEXT_"

    /// The table whose rows are indexed; the key of a row is its `rowid` here.
    package let source: SQLIdentifier
    /// The columns that are indexed; they have the same names here.
    package let columns: [SQLIdentifier]

    package var name: SQLIdentifier { SQLIdentifier(Self.prefix + source.name) }

    package init(source: SQLIdentifier, columns: [SQLIdentifier]) {
        self.source = source
        self.columns = columns
    }

    /// The statements that make the table and its triggers, by name.
    package var definitions: [(name: SQLIdentifier, statement: SQLText)] {
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

extension StoreSchema {
    /// Returns the indexes that the model asks for, by the table they are about.
    package func wantedSearchTables() throws(StoreError) -> [SQLIdentifier: SearchTable] {
        var result: [SQLIdentifier: SearchTable] = [:]
        for entity in model.entities where entity.root == entity.index {
            guard let table = self[entity.index] else { continue }
            let columns = try model.fullTextIndexed(inTreeOf: entity.index).compactMap { slot in
                slot.column.flatMap { self[slot.declaringEntity]?.columns[$0].name }
            }
            if !columns.isEmpty {
                result[table.tableName] = SearchTable(source: table.tableName, columns: columns)
            }
        }
        return result
    }
}
