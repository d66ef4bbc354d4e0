package import CoreDataSQL

/// The entities of a store, as its table of keys lists them (sqlite-store §2, §3).
package struct EntityNumbering: Sendable {
    package struct Entry: Sendable, Hashable {
        package let number: Int64
        package let name: String
        /// The number of the parent; 0 for a root.
        package let parent: Int64
        /// The highest key assigned so far, which has a meaning only for roots.
        package let highestKey: Int64
    }

    /// The entities by number, without those of the history.
    package let entries: [Entry]
    private let byNumber: [Int64: Entry]

    package init(reading connection: any SQLConnection) throws(SQLError) {
        let rows = try connection.rows(
            "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT < 16001 ORDER BY Z_ENT")
        entries = rows.map {
            Entry(
                number: $0[0].integer ?? 0, name: $0[1].text ?? "", parent: $0[2].integer ?? 0,
                highestKey: $0[3].integer ?? 0)
        }
        byNumber = Dictionary(entries.map { ($0.number, $0) }) { first, _ in first }
    }

    package subscript(_ number: Int64) -> Entry? { byNumber[number] }

    /// Returns the top of an entry's inheritance tree, whose table contains its rows. A cycle is followed
    /// once.
    package func root(of entry: Entry) -> Entry {
        var current = entry
        var visited: Set<Int64> = []
        while let parent = byNumber[current.parent], visited.insert(current.number).inserted {
            current = parent
        }
        return current
    }

    package var roots: [Entry] { entries.filter { $0.parent == 0 } }
}
