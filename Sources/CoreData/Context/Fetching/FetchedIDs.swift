import CoreDataStore

/// The IDs that a request asked for, in their order.
///
/// The IDs from a single database are made when they are used; until then the keys of its rows are in a file.
package struct FetchedIDs {
    private enum Content {
        case spool(ReferenceSpool, StoreHandle, NSManagedObjectContext)
        case ids([NSManagedObjectID])
    }

    private let content: Content

    init(_ spool: ReferenceSpool, in handle: StoreHandle, of context: NSManagedObjectContext) {
        content = .spool(spool, handle, context)
    }

    init(_ ids: [NSManagedObjectID]) { content = .ids(ids) }

    package var count: Int {
        switch content {
        case .spool(let spool, _, _): spool.count
        case .ids(let ids): ids.count
        }
    }

    /// Returns the IDs of a range.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, the error of reading the file.
    package func ids(in range: Range<Int>) throws -> [NSManagedObjectID] {
        switch content {
        case .spool(let spool, let handle, let context):
            do throws(StoreError) {
                return context.ids(of: try spool.references(in: range), in: handle)
            } catch {
                throw error.nsError()
            }
        case .ids(let ids): return Array(ids[range])
        }
    }
}
