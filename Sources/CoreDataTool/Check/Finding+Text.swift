package import CoreDataJSON

extension Finding {
    /// The short name of the kind of finding, for programs.
    package var kind: String {
        switch self {
        case .damagedDatabase: "damagedDatabase"
        case .damagedRecord: "damagedRecord"
        case .differentModel: "differentModel"
        case .missingTables: "missingTables"
        case .strangeEntityNumber: "strangeEntityNumber"
        case .impossibleKey: "impossibleKey"
        case .danglingReference: "danglingReference"
        case .misdirectedReference: "misdirectedReference"
        case .wrongEntityColumn: "wrongEntityColumn"
        case .oneSided: "oneSided"
        case .missingPosition: "missingPosition"
        case .danglingMember: "danglingMember"
        case .misdirectedMember: "misdirectedMember"
        case .lowHighestKey: "lowHighestKey"
        case .missingFiles: "missingFiles"
        case .unreadableValues: "unreadableValues"
        case .orphanedFiles: "orphanedFiles"
        case .historyWithoutTransaction: "historyWithoutTransaction"
        }
    }

    /// The number of rows, files or entities concerned.
    package var count: Int64 {
        switch self {
        case .damagedDatabase, .damagedRecord, .missingTables, .lowHighestKey: 1
        case .differentModel(let entities): Int64(entities.count)
        case .strangeEntityNumber(_, _, let count), .impossibleKey(_, let count),
            .danglingReference(_, let count),
            .misdirectedReference(_, let count), .wrongEntityColumn(_, let count),
            .oneSided(_, _, let count), .missingPosition(_, let count), .danglingMember(_, let count),
            .misdirectedMember(_, let count),
            .historyWithoutTransaction(let count):
            count
        case .missingFiles(_, let keys), .unreadableValues(_, let keys): Int64(keys.count)
        case .orphanedFiles(let names, _): Int64(names.count)
        }
    }

    /// The property, table or entity concerned; empty for the whole store.
    package var place: String {
        switch self {
        case .damagedDatabase, .damagedRecord, .differentModel, .missingTables, .orphanedFiles: ""
        case .strangeEntityNumber(let table, _, _), .impossibleKey(let table, _): "\(table)"
        case .danglingReference(let column, _), .misdirectedReference(let column, _),
            .wrongEntityColumn(let column, _), .oneSided(let column, _, _):
            column.property
        case .missingPosition(let column, _): column.property
        case .danglingMember(let join, _), .misdirectedMember(let join, _): join.property
        case .lowHighestKey(let entity, _, _, _): entity
        case .missingFiles(let column, _), .unreadableValues(let column, _): column.property
        case .historyWithoutTransaction: "history"
        }
    }

    /// The finding in one sentence.
    package var text: String {
        switch self {
        case .damagedDatabase(let message): "SQLite finds the database damaged: \(message)"
        case .damagedRecord(let message): message
        case .differentModel(let entities):
            "the store was made with another version of \(entities.joined(separator: ", ")) than the model has"
        case .missingTables(let message): "the tables are not those of the model: \(message)"
        case .strangeEntityNumber(let table, let number, let count):
            "\(counted(count, "row")) of \(table) with the number \(number), which is no entity of that table"
        case .impossibleKey(let table, let count):
            "\(counted(count, "row")) of \(table) with a key below 1, which no object has: these rows are ignored"
        case .danglingReference(let column, let count):
            "\(counted(count, "object")) whose \(column.property) does not exist"
        case .misdirectedReference(let column, let count):
            "\(counted(count, "object")) whose \(column.property) leads to an object of another entity than it may"
        case .wrongEntityColumn(let column, let count):
            "\(counted(count, "object")) whose \(column.property) has the right key and the wrong entity"
        case .oneSided(let column, let inverse, let count):
            "\(counted(count, "object")) whose \(column.property) does not lead back by \(inverse.property)"
        case .missingPosition(let column, let count):
            "\(counted(count, "row")) without a place in the order of \(column.property)"
        case .danglingMember(let join, let count):
            "\(counted(count, "row")) of \(join.property) that lead to nothing on one side"
        case .misdirectedMember(let join, let count):
            "\(counted(count, "row")) of \(join.property) that lead to an object of another entity than they may"
        case .lowHighestKey(let entity, _, let recorded, let used):
            "the highest key of \(entity) is recorded as \(recorded), but \(used) is in use: new objects would get used keys"
        case .missingFiles(let column, let keys):
            "\(counted(keys.count, "object")) whose \(column.property) lies in a file that is gone or empty"
        case .unreadableValues(let column, let keys):
            "\(counted(keys.count, "object")) whose \(column.property) is neither a value nor the name of a file"
        case .orphanedFiles(let names, let size):
            "\(counted(names.count, "file")) of big values, "
                + "\(ByteCount.text(size)), that no object names"
        case .historyWithoutTransaction(let count):
            "\(counted(count, "row")) of recorded changes without their transaction"
        }
    }

    package var json: JSONValue {
        .object([
            .init("kind", .string(kind)), .init("place", .string(place)), .init("count", .integer(count)),
            .init("text", .string(text)), .init("repair", repair.map { .string($0.text) } ?? .null),
        ])
    }
}
