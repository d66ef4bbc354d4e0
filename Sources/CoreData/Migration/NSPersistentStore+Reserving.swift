import CoreDataStore
import Foundation

extension NSPersistentStore {
    /// Waits for other threads and processes that run stages of the store, and has them wait until the result
    /// is released.
    final class func reserveStages(at url: URL, timeout: Double) throws -> AnyObject {
        if let database = self as? DatabaseStore.Type {
            return try database.driver().reserveStages(at: database.place(of: url), timeout: timeout)
        }
        return try FolderLock(url.deletingLastPathComponent().path, timeout: timeout)
    }
}
