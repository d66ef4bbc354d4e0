import CoreDataStore
import CoreDataValues

/// The IDs that a request asked for, which are made when they are used: until then a row takes 16 bytes.
package struct FetchedIDs {
    private enum Content {
        case references([ObjectReference], StoreHandle, NSManagedObjectContext)
        case ids([NSManagedObjectID])
    }

    private let content: Content

    init(_ references: [ObjectReference], in handle: StoreHandle, of context: NSManagedObjectContext) {
        content = .references(references, handle, context)
    }

    init(_ ids: [NSManagedObjectID]) { content = .ids(ids) }

    package var count: Int {
        switch content {
        case .references(let references, _, _): references.count
        case .ids(let ids): ids.count
        }
    }

    /// All IDs.
    var all: [NSManagedObjectID] {
        switch content {
        case .references(let references, let handle, let context): context.ids(of: references, in: handle)
        case .ids(let ids): ids
        }
    }

    package subscript(range: Range<Int>) -> [NSManagedObjectID] {
        switch content {
        case .references(let references, let handle, let context):
            context.ids(of: Array(references[range]), in: handle)
        case .ids(let ids): Array(ids[range])
        }
    }
}
