import CoreDataStore
import CoreDataValues

/// The record of which objects each mapping has made from which source objects, by reference.
///
/// Objects that are not saved yet are recorded when they get their permanent references.
///
/// The record is in a scratch database, so that it takes no memory. The methods through which policies read
/// it do not throw: an error is kept, and ends the migration after the policy's call.
final class MigrationAssociations {
    /// The numbers of the mappings, in the order in which they first made something.
    private var groups: [String: Int] = [:]
    private var table: (any AssociationRecord)?
    private(set) var failure: StoreError?

    deinit { table?.close() }

    func add(_ source: ObjectReference, _ destination: ObjectReference, _ mapping: String) {
        attempt(()) { () throws(StoreError) in
            try opened().add(source, destination, group: group(mapping))
        }
    }

    private func opened() throws(StoreError) -> any AssociationRecord {
        if let table { return table }
        let made = try sqliteStores.recordAssociations()
        table = made
        return made
    }

    private func group(_ mapping: String) -> Int {
        if let known = groups[mapping] { return known }
        groups[mapping] = groups.count
        return groups.count - 1
    }

    /// Replaces a temporary reference by the permanent one.
    func rename(_ old: ObjectReference, to new: ObjectReference) {
        attempt(()) { () throws(StoreError) in try table?.rename(old, to: new) }
    }

    /// Removes an object that a policy has deleted.
    func remove(_ destination: ObjectReference) {
        attempt(()) { () throws(StoreError) in try table?.remove(destination) }
    }

    // MARK: Objects made

    /// Returns everything that a mapping has made, in order.
    func made(by mapping: String) -> [ObjectReference] {
        var mark: Int64 = 0
        return made(by: mapping, after: &mark, limit: .max)
    }

    /// Calls a closure with everything that a mapping has made, in batches.
    func forEachBatch(
        madeBy mapping: String, of size: Int, _ body: ([ObjectReference]) throws -> Void
    ) throws {
        var mark: Int64 = 0
        while true {
            let batch = made(by: mapping, after: &mark, limit: size)
            if let failure { throw MigrationFailure.notes(failure) }
            if batch.isEmpty { return }
            try body(batch)
        }
    }

    /// Returns the next objects that a mapping has made.
    ///
    /// - Parameter mark: Where the last call has ended; 0 at first.
    private func made(by mapping: String, after mark: inout Int64, limit: Int) -> [ObjectReference] {
        guard let group = groups[mapping] else { return [] }
        return attempt([]) { () throws(StoreError) in
            try table?.made(in: group, after: &mark, limit: limit) ?? []
        }
    }

    func madeCount(by mapping: String) -> Int {
        guard let group = groups[mapping] else { return 0 }
        return attempt(0) { () throws(StoreError) in try table?.madeCount(in: group) ?? 0 }
    }

    // MARK: Looking up

    func destinations(of source: ObjectReference, _ mapping: String) -> [ObjectReference] {
        guard let group = groups[mapping] else { return [] }
        return attempt([]) { () throws(StoreError) in
            try table?.destinations(of: source, group: group) ?? []
        }
    }

    /// Returns the objects that any mappings have made from a source object.
    func destinations(of source: ObjectReference) -> [ObjectReference] {
        attempt([]) { () throws(StoreError) in try table?.destinations(of: source, group: nil) ?? [] }
    }

    func sources(of destination: ObjectReference, _ mapping: String) -> [ObjectReference] {
        guard let group = groups[mapping] else { return [] }
        return attempt([]) { () throws(StoreError) in
            try table?.sources(of: destination, group: group) ?? []
        }
    }

    private func attempt<Result>(_ nothing: Result, _ body: () throws(StoreError) -> Result) -> Result {
        guard failure == nil else { return nothing }
        do throws(StoreError) {
            return try body()
        } catch {
            failure = error
            return nothing
        }
    }
}
