import CoreDataSQL
import CoreDataStore
import Foundation

/// A store as it is at one moment, to be copied: a reader in a transaction, and copies of the external files
/// that its rows name.
struct StoreSnapshot {
    let reader: SQLiteConnection
    let files: ExternalExchange
    /// Whether nobody has committed since the files were copied: the rows name these.
    private let isCurrent: Bool

    /// Copies the files first. If somebody commits meanwhile, the rows may name others by then: both are
    /// taken again, the last time with nobody else writing.
    init(of source: String, for target: String, _ timeout: Double) throws(StoreError) {
        for _ in 1...3 {
            let snapshot = try StoreSnapshot(source, target, timeout)
            if snapshot.isCurrent {
                self = snapshot
                return
            }
            snapshot.files.undo()
            snapshot.close()
        }
        let reservation = try? StoreReservation(source, timeout: timeout)
        defer { reservation?.end() }
        self = try StoreSnapshot(source, target, timeout)
    }

    private init(_ source: String, _ target: String, _ timeout: Double) throws(StoreError) {
        let reader = try SQLiteStores.translated(source) { () throws(SQLError) in
            try StoreOpening.openQuietly(source, timeout: timeout)
        }
        do throws(StoreError) {
            let version = try Self.version(reader)
            let files = try ExternalExchange(from: source, to: target)
            do throws(StoreError) {
                isCurrent = try SQLiteStores.translated(source) { () throws(SQLError) in
                    try reader.begin(.deferred)
                    return try reader.dataVersion() == version
                }
            } catch {
                files.undo()
                throw error
            }
            (self.reader, self.files) = (reader, files)
        } catch {
            reader.close()
            throw error
        }
    }

    private static func version(_ reader: SQLiteConnection) throws(StoreError) -> Int64 {
        try SQLiteStores.translated(reader.path) { () throws(SQLError) in try reader.dataVersion() }
    }

    func close() {
        reader.rollback()
        reader.close()
    }
}
