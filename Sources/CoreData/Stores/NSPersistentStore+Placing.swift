import CoreDataMemory
import CoreDataStore
import Foundation

extension NSPersistentStore {
    /// Changes the file at a URL, which may be a database that other connections must have closed.
    ///
    /// - Parameter change: Changes what is there if a condition is met, and returns whether it was.
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
