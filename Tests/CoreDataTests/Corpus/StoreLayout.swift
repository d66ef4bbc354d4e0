import Foundation

/// The parts of a store file beside its rows, to be compared with another file's.
struct StoreLayout: Sendable {
    /// The facts by subject: `index Z_Book_byTitle`, `pragma page_size`, `metadata NSStoreType` …
    private(set) var facts: [String: String] = [:]
    /// Tables, indexes and triggers in the order of their creation.
    private(set) var order: [String] = []
    /// The version of Core Data that wrote the file.
    private(set) var framework = 0
    /// Whether the file was made by more statements than it has objects: tables were renamed, altered or
    /// copied.
    private(set) var isMigrated = false

    /// The pragmas that a file keeps.
    private static let pragmas = [
        "page_size", "auto_vacuum", "journal_mode", "encoding", "user_version", "application_id",
    ]

    init(of url: URL) throws {
        let database = try PlainDatabase(url)
        for pragma in Self.pragmas {
            if let value = try database.rows("PRAGMA \(pragma)").first?.first {
                facts["pragma \(pragma)"] = "\(value)"
            }
        }
        try readObjects(database)
        for row in try database.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY") {
            if case .text(let name) = row[1] { facts["entity \(name)"] = "\(row[0]) below \(row[2])" }
        }
        try readMetadata(database)
        if try database.has(table: "Z_MODELCACHE") {
            facts["model caches"] = "\(try database.integer("SELECT COUNT(*) FROM Z_MODELCACHE"))"
        }
    }

    private mutating func readObjects(_ database: PlainDatabase) throws {
        let rows = try database.rows(
            "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'")
        isMigrated = try database.integer("PRAGMA schema_version") > Int64(rows.count)
        for row in rows {
            guard case .text(let type) = row[0], case .text(let name) = row[1], case .text(let sql) = row[2]
            else { continue }
            facts["\(type) \(name)"] = type == "table" ? Self.normalized(sql) : sql
            order.append(name)
        }
    }

    private mutating func readMetadata(_ database: PlainDatabase) throws {
        let metadata = try database.metadata()
        framework = (metadata["NSPersistenceFrameworkVersion"] as? NSNumber)?.intValue ?? 0
        for case let (key as String, value) in metadata { facts["metadata \(key)"] = Self.text(value) }
        facts["metadata rows"] = "\(try database.rows("SELECT Z_VERSION FROM Z_METADATA"))"
        let uuid = try database.strings("SELECT Z_UUID FROM Z_METADATA").first ?? ""
        facts["uuid"] = UUID(uuidString: uuid)?.uuidString == uuid ? "upper case" : uuid
    }

    // MARK: Texts

    /// The order of position columns differs among Apple's releases (sqlite-store §5): sorted by name here.
    private static func normalized(_ sql: String) -> String {
        guard sql.hasPrefix("CREATE TABLE"), let start = sql.firstIndex(of: "("), sql.contains("Z_FOK_")
        else {
            return sql
        }
        let columns = sql[start...].components(separatedBy: ", ")
        let positions = columns.filter { $0.hasPrefix("Z_FOK_") }.sorted()
        let others = columns.filter { !$0.hasPrefix("Z_FOK_") }
        return sql[..<start] + (others + positions).joined(separator: ", ")
    }

    private static func text(_ value: Any) -> String {
        switch value {
        case let dictionary as [String: Any]:
            dictionary.map { "\($0): \(text($1))" }.sorted().joined(separator: ", ")
        case let list as [Any]: "[\(list.map(text).joined(separator: ", "))]"
        case let data as Data: data.base64EncodedString()
        case let text as String: "\"\(text)\""
        default: "\(value)"
        }
    }

    /// Returns names and types of a table's columns, regardless of later changes to the table.
    static func columns(_ sql: String?) -> Set<String> {
        guard let sql, let start = sql.firstIndex(of: "("), let end = sql.lastIndex(of: ")") else {
            return []
        }
        return Set(
            sql[sql.index(after: start)..<end].components(separatedBy: ",")
                .map { $0.trimmingCharacters(in: .whitespaces) })
    }

    // MARK: Comparing

    struct Difference: Hashable {
        let fact: String
        /// Nil if the file has no such fact.
        let theirs: String?
        let ours: String?

        func isAbout(_ prefix: String) -> Bool { fact.hasPrefix(prefix) }
    }

    /// Returns the differences from another file, by fact.
    func differences(from other: StoreLayout) -> [Difference] {
        Set(facts.keys).union(other.facts.keys).sorted().compactMap { fact in
            facts[fact] == other.facts[fact]
                ? nil : Difference(fact: fact, theirs: other.facts[fact], ours: facts[fact])
        }
    }

    /// Returns the objects that both files have, in this file's order. Apple's releases do not order the join
    /// tables of one entity.
    func order(sharedWith other: StoreLayout) -> [String] {
        let shared = Set(other.order)
        return order.filter { name in
            shared.contains(name) && !(name.hasPrefix("Z_") && facts["table \(name)"] != nil && isJoin(name))
                && !isJoinIndex(name)
        }
    }

    private func isJoin(_ name: String) -> Bool { name.dropFirst(2).first?.isNumber ?? false }

    private func isJoinIndex(_ name: String) -> Bool {
        name.hasPrefix("Z_") && isJoin(name) && facts["index \(name)"] != nil
    }
}
