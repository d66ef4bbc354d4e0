import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// A store as a parent context sees it: the committed rows with the context's changes applied. Nested
/// contexts read from it and save to it, on the parent's queue.
///
/// Parent and child may know an object by different references, since each context takes over permanent
/// references at its own time. The parent translates the references in a request into its own, and the child
/// those in the answer.
final class ParentBackend: StoreBackend {
    private typealias Address = PermanentReferences.Address

    private let context: NSManagedObjectContext
    private unowned let child: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    /// The index of the store; -1 for objects that are in no store yet.
    private let storeIndex: Int16

    init(
        _ context: NSManagedObjectContext, of child: NSManagedObjectContext,
        _ coordinator: NSPersistentStoreCoordinator, storeIndex: Int16
    ) {
        self.context = context
        self.child = child
        self.coordinator = coordinator
        self.storeIndex = storeIndex
    }

    /// Runs a block on the context's queue. Returns its answer, and the translator of the answer's references
    /// for the child.
    private func ask<Answer>(
        _ body: () throws(StoreError) -> Answer
    ) throws(StoreError) -> (answer: Answer, names: ChildNames) {
        let (answer, known) = try context.performAndWait { () throws(StoreError) -> (Answer, Int) in
            context.adoptPermanentReferences()
            let answer = try body()
            return (answer, context.knownReferences)
        }
        return (answer, ChildNames(child, asParentKnows: known))
    }

    // MARK: Fetching

    func fetch(_ query: FetchQuery) throws(StoreError) -> FetchResult {
        let (result, names) = try ask { () throws(StoreError) in
            let handle = try storeHandle(at: storeIndex)
            context.applyDeleteRules()
            guard context.tracker.hasChanges else { return known(try handle.backend.fetch(query)) }
            do {
                return try fetchWithChanges(query, in: handle)
            } catch {
                throw StoreError(.reported(error), "\(error)")
            }
        }
        return names.renaming(result, at: storeIndex)
    }

    func split(_ query: FetchQuery) throws(StoreError) -> QuerySplit {
        try ask { () throws(StoreError) in try storeHandle(at: storeIndex).backend.split(query) }.answer
    }

    private func fetchWithChanges(_ query: FetchQuery, in handle: StoreHandle) throws -> FetchResult {
        let runner = FetchRunner(context, FetchRequestStorage(), query, in: [handle])
        switch query.shape {
        case .rows: return .rows(try runner.prefetchedObjects().compactMap(row))
        case .references: return .references(try runner.prefetchedObjects().map(\.reference))
        case .count: return .count(try runner.count())
        case .dictionaries, .dictionaryCount: return try handle.backend.fetch(query)
        }
    }

    /// Replaces rows that were read by the context's own rows, since those read may be newer than the
    /// context's state.
    private func known(_ result: FetchResult) -> FetchResult {
        guard case .rows(let rows) = result else { return result }
        return .rows(rows.map { row in object(at: Address(row.reference, storeIndex))?.row?.clone() ?? row })
    }

    // MARK: Rows

    func snapshot(for row: ObjectReference) throws(StoreError) -> Snapshot? {
        let (answer, names) = try ask { () throws(StoreError) -> (row: Snapshot, storeIndex: Int16)? in
            let address = address(of: row)
            if let found = ownRow(at: address) { return found.map { ($0, address.storeIndex) } }
            guard let handle = try handle(at: address.storeIndex) else { return nil }
            if let row = handle.cache.current(address.reference) { return (row.clone(), address.storeIndex) }
            return try handle.backend.snapshot(for: address.reference).map { ($0, address.storeIndex) }
        }
        return answer.map { names.renaming($0.row, at: $0.storeIndex) }
    }

    func snapshots(for rows: [ObjectReference]) throws(StoreError) -> [Snapshot] {
        let (answer, names) = try ask { () throws(StoreError) -> [Int16: [Snapshot]] in
            var result: [Int16: [Snapshot]] = [:]
            var missing: [Int16: [ObjectReference]] = [:]
            for address in rows.map(address) {
                if let found = ownRow(at: address) {
                    if let found { result[address.storeIndex, default: []].append(found) }
                } else if let row = try handle(at: address.storeIndex)?.cache.current(address.reference) {
                    result[address.storeIndex, default: []].append(row.clone())
                } else {
                    missing[address.storeIndex, default: []].append(address.reference)
                }
            }
            for (index, references) in missing {
                guard let handle = try handle(at: index) else { continue }
                result[index, default: []] += try handle.backend.snapshots(for: references)
            }
            return result
        }
        return answer.flatMap { index, rows in rows.map { names.renaming($0, at: index) } }
    }

    /// Returns the row of an object that has values in the context: `.some(nil)` for a deleted one, nil for
    /// one whose row the context has to read itself, from its own parent or the stores.
    private func ownRow(at address: Address) -> Snapshot?? {
        guard let object = object(at: address), object.isDirty || !object.isFault else { return nil }
        return .some(row(of: object))
    }

    /// Returns a copy of the row that the context has for an object; nil if the object is deleted. It is a
    /// copy, since the context may change its own row, or release an unchanged row.
    private func row(of object: NSManagedObject) -> Snapshot? {
        if object.isDeleted { return nil }
        if object.isInserted { object.fireIfNeeded() }
        let row = object.row ?? object.committed ?? context.faultHandler.snapshot(for: object, in: context)
        return row?.clone()
    }

    // MARK: Relationships

    func related(_ slot: Int, of row: ObjectReference) throws(StoreError) -> [ObjectReference] {
        let (members, names) = try ask { () throws(StoreError) -> [Address] in
            let address = address(of: row)
            if let known = knownMembers(slot, of: address) { return known }
            guard let handle = try handle(at: address.storeIndex) else { return [] }
            return try handle.backend.related(slot, of: address.reference).map {
                Address($0, address.storeIndex)
            }
        }
        return names.references(of: members)
    }

    func related(
        _ slot: Int, ofEach rows: [ObjectReference]
    ) throws(StoreError) -> [Int64: [ObjectReference]] {
        let (answer, names) = try ask { () throws(StoreError) -> [Int64: [Address]] in
            var result: [Int64: [Address]] = [:]
            var missing: [Int16: [(asked: Int64, reference: ObjectReference)]] = [:]
            for row in rows {
                let address = address(of: row)
                if let known = knownMembers(slot, of: address) {
                    result[row.key] = known
                } else {
                    missing[address.storeIndex, default: []].append((row.key, address.reference))
                }
            }
            for (index, owners) in missing {
                guard let handle = try handle(at: index) else { continue }
                let members = try handle.backend.related(slot, ofEach: owners.map(\.reference))
                for (asked, reference) in owners {
                    result[asked] = members[reference.key]?.map { Address($0, index) }
                }
            }
            return result
        }
        return answer.mapValues(names.references)
    }

    /// Returns the members that the context knows; nil if they have to be read.
    private func knownMembers(_ slot: Int, of address: Address) -> [Address]? {
        guard let object = object(at: address), object.side(at: slot) is ToManyValue else { return nil }
        return object.toMany(at: object.runtime.slot(at: slot)).array
            .filter { !$0.isDeleted }.map(\.rowAddress)
    }

    // MARK: Objects

    /// Returns the address in this context of an object that its child knows by a reference.
    private func address(of reference: ObjectReference) -> Address {
        context.address(of: reference, storeIndex: storeIndex)
    }

    private func object(at address: Address) -> NSManagedObject? {
        context.registry.object(
            address.reference, storeIndex: address.storeIndex,
            root: context.requiredCoordinator.frozen.runtime(address.reference.entity).root)
    }

    /// Returns the handle from which to read rows that the context does not have; nil for objects in no
    /// store, which only the context can have.
    private func handle(at index: Int16) throws(StoreError) -> StoreHandle? {
        index < 0 ? context.readHandle(at: index) : try storeHandle(at: index)
    }

    private func storeHandle(at index: Int16) throws(StoreError) -> StoreHandle {
        guard let handle = context.readHandle(at: index) else {
            throw StoreError(.unsupported, "The store that a nested context reads from was removed")
        }
        return handle
    }

    // MARK: Saving

    func allocateKeys(
        _ count: [EntityIndex: Int]
    ) throws(StoreError) -> [EntityIndex: [ObjectReference]] {
        try ask { () throws(StoreError) in try storeHandle(at: storeIndex).backend.allocateKeys(count) }
            .answer
    }

    /// Applies the changes to the context. They never conflict: the child's changes win.
    func commit(_ changes: ChangeSet) throws(StoreError) -> CommitReceipt {
        let changes = changes.keepingRows()
        return try ask { () throws(StoreError) in
            ChangeAdoption(context, storeIndex: storeIndex).adopt(changes)
            return CommitReceipt(permanent: [:])
        }.answer
    }

    /// Makes later reads see all commits. Does not run on the context's queue, whose thread may be waiting
    /// for the child that merges.
    func expireReads() {
        for handle in coordinator.handles where storeIndex < 0 || handle.index == storeIndex {
            handle.backend.expireReads()
        }
    }

    /// Does nothing, since the coordinator closes the stores.
    func close() {}
}
