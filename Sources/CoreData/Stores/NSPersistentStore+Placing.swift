import CoreDataMemory
import CoreDataStore
import Foundation

extension NSPersistentStore {
    /// Changes the file at a URL; if it is a database, waits until other connections have closed it.
    ///
    /// - Parameter change: Changes the file if a condition is met, and returns whether it was met.
    static func changeFile(
        at url: URL, _ options: [AnyHashable: Any],
        _ change: ((FileStamp?) -> Bool) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try FileLock.retrying(url.path, timeout: options.timeout) { found throws(StoreError) in
            let (path, timeout) = (url.path, options.timeout)
            guard !url.isNowhere, try sqliteStores.isDatabase(at: path, timeout: timeout) else {
                return try change { $0 == found }
            }
            try sqliteStores.giveWay(at: path, timeout: timeout) { () throws(StoreError) in
                _ = try change { _ in true }
            }
            return true
        }
    }
}
