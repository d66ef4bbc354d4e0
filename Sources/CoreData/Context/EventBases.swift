import CoreDataStore

/// Rows as they were when the present event began, by the objects that have others now. Every object that is changed is
/// put in and taken out again, which a dictionary would spend most of on hashing.
final class EventBases {
    /// By the object's address; owns a reference to each row.
    @exclusivity(unchecked) private var table = KeyTable()

    deinit {
        removeAll()
        table.deallocate()
    }

    private func key(_ object: NSManagedObject) -> Int64 {
        // The lowest bits of an address say nothing, and the table spreads by them.
        Int64(Int(bitPattern: Unmanaged.passUnretained(object).toOpaque()) >> 4)
    }

    subscript(object: NSManagedObject) -> Snapshot? {
        guard table.count > 0, let row = table[key(object)] else { return nil }
        return Unmanaged<Snapshot>.fromOpaque(row).takeUnretainedValue()
    }

    func set(_ row: consuming Snapshot, of object: NSManagedObject) {
        release(table.set(key(object), UnsafeRawPointer(Unmanaged.passRetained(row).toOpaque())))
    }

    func remove(_ object: NSManagedObject) {
        if table.count > 0 { release(table.remove(key(object))) }
    }

    func removeAll() {
        guard table.count > 0 else { return }
        table.forEach { _, row in release(row) }
        table.removeAll()
    }

    /// Puts others in the place of some rows.
    func replace(_ body: (Snapshot) -> Snapshot?) {
        var replaced: [(key: Int64, row: Snapshot)] = []
        table.forEach { key, row in
            let row = Unmanaged<Snapshot>.fromOpaque(row).takeUnretainedValue()
            if let other = body(row) { replaced.append((key, other)) }
        }
        for (key, row) in replaced {
            release(table.set(key, UnsafeRawPointer(Unmanaged.passRetained(row).toOpaque())))
        }
    }

    private func release(_ row: UnsafeRawPointer?) {
        if let row { Unmanaged<Snapshot>.fromOpaque(row).release() }
    }
}
