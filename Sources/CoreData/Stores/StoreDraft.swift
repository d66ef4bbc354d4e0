import CoreDataStore
import Foundation

/// A store that is made beside its place, and moved there when it is complete.
///
/// If the process dies or the work fails before, the place stays as it was. The draft of a process that died
/// is removed when a store is next opened at the place, or in a database on a server when another draft is
/// made there.
package final class StoreDraft {
    private let place: any DraftPlace
    private let storeClass: NSPersistentStore.Type
    private let target: URL

    init(
        of storeClass: NSPersistentStore.Type, for target: URL, _ options: [AnyHashable: Any] = [:]
    ) throws {
        do {
            place = try storeClass.draftPlace(for: target, options)
        } catch {
            throw translated(error)
        }
        self.storeClass = storeClass
        self.target = target
    }

    package convenience init(ofType type: String, for target: URL) throws {
        try self.init(of: StoreTypes.storeClass(type), for: target)
    }

    /// Removes files that processes left at and beside the place of a store when they died.
    package static func removeLeftovers(ofType type: String, at location: URL) throws {
        try StoreTypes.storeClass(type).removeLeftovers(at: location)
    }

    /// The place of the draft.
    package var url: URL { place.url }

    /// Moves the draft, which must have been closed, to its place, where it replaces whatever is there.
    func publish(_ options: [AnyHashable: Any]) throws {
        do {
            try storeClass.publish(url, at: target, options)
        } catch {
            throw translated(error)
        }
    }

    /// Moves the draft to its place, or to another one, if a store can be made there; returns false if a
    /// store is there already.
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
