import CoreDataStore
import CoreDataValues

extension ContextRegistry {
    /// The row caches of a store: the shared one, and those of query generations to which the context was
    /// pinned.
    struct Caches {
        let store: Backlink<NSPersistentStore>
        let current: UncountedReference<RowCache>
        let shared: UncountedReference<RowCache>?

        init(_ handle: StoreHandle) {
            store = handle.store.link
            current = UncountedReference(handle.cache)
            shared = handle.sharedCache === handle.cache ? nil : UncountedReference(handle.sharedCache)
        }
    }

    struct Tables {
        /// Objects by store index + 1 and root entity; temporary keys are at store index -1.
        var tables: [KeyTable?] = []
        /// Caches by store index + 1.
        var caches: [Caches?] = []
        /// Stores that are told which objects contexts have, by store index.
        var listeners: [Int16: NSIncrementalStore] = [:]

        /// Gives an object's row back to its cache, which returns the row if no other object holds it.
        ///
        /// The caller's lock keeps the caches alive meanwhile.
        func release(_ held: inout Snapshot?, of storeIndex: Int16) -> Snapshot? {
            let index = Int(storeIndex) + 1
            guard index < caches.count, let current = caches[index]?.current.uncounted else { return nil }
            return current._withUnsafeGuaranteedRef { $0.release(&held) }
                ?? caches[index]?.shared?.uncounted._withUnsafeGuaranteedRef { $0.release(&held) }
        }

        mutating func set(_ object: UnsafeRawPointer, _ key: Int64, at position: Int) {
            if position >= tables.count || tables[position] == nil { makeTable(at: position) }
            tables[position]!.set(key, object)
        }

        mutating func reserve(_ count: Int, at position: Int) {
            makeTable(at: position)
            tables[position]!.reserve(count)
        }

        private mutating func makeTable(at position: Int) {
            while tables.count <= position { tables.append(nil) }
            if tables[position] == nil { tables[position] = KeyTable() }
        }

        /// Returns the number of entries of a table, 0 if there is none.
        func count(at position: Int) -> Int {
            position < tables.count ? tables[position]?.count ?? 0 : 0
        }

        /// Removes objects from a table in which they are under former keys.
        ///
        /// - Parameter count: The number of these objects, which mostly are all in the table.
        mutating func removeMoved(_ count: Int, at position: Int) {
            if tables[position]?.count == count {
                tables[position]?.removeAll()
            } else {
                tables[position]?.removeAll { key, pointer in
                    // An object that is being freed keeps its values until it has left the table, for which
                    // it needs the lock.
                    Unmanaged<NSManagedObject>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
                        $0.reference.key != key
                    }
                }
            }
        }

        mutating func remove(_ object: UnsafeRawPointer, _ key: Int64, at position: Int) {
            guard position < tables.count, tables[position] != nil else { return }
            tables[position]!.remove(key, ifIs: object)
        }
    }
}
