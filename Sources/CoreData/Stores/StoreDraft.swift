import CoreDataStore
import Foundation

/// A store that is made beside its place, and put there when it is complete.
///
/// If the process dies or the work fails before, what is there stays. The next to open the store at the place
/// removes the draft of a process that died.
package final class StoreDraft {
    private let folder: DraftFolder
    private let storeClass: NSPersistentStore.Type
    private let target: URL

    init(of storeClass: NSPersistentStore.Type, for target: URL) throws {
        do throws(StoreError) {
            folder = try DraftFolder(beside: target)
        } catch {
            throw error.nsError()
        }
        self.storeClass = storeClass
        self.target = target
    }

    package convenience init(ofType type: String, for target: URL) throws {
        try self.init(of: StoreTypes.storeClass(type), for: target)
    }

    /// Removes what processes that died have left at the place of a store, and beside it.
    package static func removeLeftovers(ofType type: String, at location: URL) throws {
        try StoreTypes.storeClass(type).removeLeftovers(at: location)
    }

    /// The place of the draft.
    package var url: URL { folder.url }

    /// Puts the draft, which must have been closed, in the place of whatever is there.
    func publish(_ options: [AnyHashable: Any]) throws {
        do {
            try storeClass.publish(url, at: target, options)
        } catch {
            throw translated(error)
        }
    }

    /// Puts the draft in its place, or another one, if a store can be made there; false if something else is
    /// there.
    package func publishIfFree(
        at location: URL? = nil, options: [AnyHashable: Any] = [:]
    ) throws -> Bool {
        do {
            try storeClass.publish(url, at: location ?? target, options, mustBeFree: true)
            return true
        } catch let error as StoreError {
            if case .overtaken = error.kind { return false }
            throw error.nsError()
        }
    }
}
