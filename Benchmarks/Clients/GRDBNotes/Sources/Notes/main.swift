import Foundation
import GRDB

struct Note: Codable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var title: String
    var created: Date?
    var text: String?
    var isPinned = false
    var folderId: Int64?

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

// Opens the database that the first argument names, adds a note and says how long that took.
let clock = ContinuousClock()
let start = clock.now
let pool = try DatabasePool(path: CommandLine.arguments[1])
var migrator = DatabaseMigrator()
migrator.registerMigration("first") { db in
    try db.create(table: "folder") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("title", .text).notNull()
    }
    try db.create(table: "note") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("title", .text).notNull()
        table.column("created", .datetime)
        table.column("text", .text)
        table.column("isPinned", .boolean).notNull()
        table.belongsTo("folder")
    }
    try db.create(table: "tag") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("name", .text).notNull()
    }
    try db.create(table: "noteTag") { table in
        table.belongsTo("note")
        table.belongsTo("tag")
    }
}
try migrator.migrate(pool)
let opened = clock.now
let count = try pool.write { db in
    var note = Note(title: "A note", created: Date())
    try note.insert(db)
    return try Note.fetchCount(db)
}
print("opened in \(opened - start), saved and counted \(count) in \(clock.now - opened)")
