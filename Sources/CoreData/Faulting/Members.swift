import CoreDataStore
import CoreDataValues

/// The members of a to-many of several objects of one store, read at once: with their rows if the store can
/// read these in the same statement.
struct Members {
    private let all: [NSManagedObject]
    private let ranges: [Int64: Range<Int>]
    private let references: [Int64: [ObjectReference]]
    private let context: NSManagedObjectContext
    private let handle: StoreHandle

    init(
        _ slot: Int, of owners: [ObjectReference], in handle: StoreHandle, _ context: NSManagedObjectContext
    ) throws(StoreError) {
        (self.context, self.handle) = (context, handle)
        let changeCount = handle.cache.changeCount
        if let related = try handle.backend.relatedRows(slot, ofEach: owners) {
            let rows = context.remember(related.rows, from: handle, readAt: changeCount)
            all = context.objects(for: rows, handle: handle)
            (ranges, references) = (related.ranges, [:])
        } else {
            (all, ranges) = ([], [:])
            references = try handle.backend.related(slot, ofEach: owners)
        }
    }

    func objects(of owner: ObjectReference) -> [NSManagedObject] {
        if let range = ranges[owner.key] { return Array(all[range]) }
        return context.objects(for: references[owner.key] ?? [], storeIndex: handle.index)
    }
}
