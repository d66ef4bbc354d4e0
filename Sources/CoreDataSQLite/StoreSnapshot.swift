import CoreDataSQL
import CoreDataStore
import Foundation

/// A snapshot of a store for copying: a reader in a transaction, and copies of the external files that its
/// rows name.
struct StoreSnapshot {
    let reader: SQLiteConnection
    let files: ExternalExchange
    /// Whether there was no commit while the files were copied, so that the rows name exactly these files.
    private let isCurrent: Bool

    /// Copies the files, then begins the transaction. If there is a commit in between, the rows may name
    /// other files, so both are repeated. The last attempt keeps other writers out.
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
