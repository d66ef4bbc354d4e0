import CoreDataSQL
import CoreDataStore
import Foundation

/// A store as it is at one moment, to be copied: a reader in a transaction, and copies of the external files
/// that its rows name.
struct StoreSnapshot {
    let reader: SQLiteConnection
    let files: ExternalExchange

    /// The files are copied first. If somebody commits meanwhile, the rows may name others by then: it is
    /// tried again, the last time with nobody else writing.
    init(of source: String, for target: String, _ timeout: Double) throws(StoreError) {
        for attempt in 1... {
            let reservation = attempt > 3 ? try? StoreReservation(source, timeout: timeout) : nil
            defer { reservation?.end() }
            let reader = try SQLiteStores.translated(source) { () throws(SQLError) in
                try StoreOpening.openQuietly(source, timeout: timeout)
            }
            do throws(StoreError) {
                let version = try Self.version(reader)
                let files = try ExternalExchange(from: source, to: target)
                do throws(StoreError) {
                    let isCurrent = try SQLiteStores.translated(source) { () throws(SQLError) in
                        try reader.begin(.deferred)
                        return try reader.dataVersion() == version
                    }
                    if isCurrent || attempt > 3 {
                        (self.reader, self.files) = (reader, files)
                        return
                    }
                    reader.rollback()
                    files.undo()
                } catch {
                    files.undo()
                    throw error
                }
                reader.close()
            } catch {
                reader.close()
                throw error
            }
        }
        fatalError("the last attempt returns")
    }

    private static func version(_ reader: SQLiteConnection) throws(StoreError) -> Int64 {
        try SQLiteStores.translated(reader.path) { () throws(SQLError) in try reader.dataVersion() }
    }

    func close() {
        reader.rollback()
        reader.close()
    }
}
