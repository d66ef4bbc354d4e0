import CSQLite
import CoreDataSQL

/// A record of the rows that are written on a connection, including writes by triggers. SQLite's update hook
/// reports each row.
final class ChangeRecorder {
    private(set) var rows: Set<ChangedRow> = []
    private let database: OpaquePointer

    init(_ database: OpaquePointer) {
        self.database = database
        let address = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_update_hook(
            database,
            { address, _, _, table, key in
                guard let address, let table else { return }
                let recorder = Unmanaged<ChangeRecorder>.fromOpaque(address).takeUnretainedValue()
                recorder.rows.insert(ChangedRow(table: SQLIdentifier(String(cString: table)), key: key))
            }, address)
    }

    func stop() {
        sqlite3_update_hook(database, nil, nil)
    }
}
