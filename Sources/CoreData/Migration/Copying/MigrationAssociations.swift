import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues

/// What each mapping has made of which source object, by reference; objects that are in no store yet follow when they get
/// their permanent one.
///
/// They lie in a scratch database, so that they take no memory. The methods of policies that ask for them do not throw:
/// what goes wrong is kept, and ends the migration after the policy's call.
final class MigrationAssociations {
    /// The mappings in the order in which they have made something.
    private var groups: [String: Int] = [:]
    private var table: AssociationTable?
    private(set) var failure: StoreError?

    deinit { table?.close() }

    func add(_ source: ObjectReference, _ destination: ObjectReference, _ mapping: String) {
        attempt(()) { () throws(StoreError) in
            try opened().add(source, destination, group: group(mapping))
        }
    }

    private func opened() throws(StoreError) -> AssociationTable {
        if let table { return table }
        let made = try AssociationTable(on: SQLiteConnection.scratch())
        table = made
        return made
    }

    private func group(_ mapping: String) -> Int {
        if let known = groups[mapping] { return known }
        groups[mapping] = groups.count
        return groups.count - 1
    }

    /// Takes over what became of a temporary reference.
    func rename(_ old: ObjectReference, to new: ObjectReference) {
        attempt(()) { () throws(StoreError) in try table?.rename(old, to: new) }
    }

    /// Removes what policies have deleted.
    func remove(_ destination: ObjectReference) {
        attempt(()) { () throws(StoreError) in try table?.remove(destination) }
    }

    // MARK: What was made

    /// Everything that a mapping has made, in order.
    func made(by mapping: String) -> [ObjectReference] {
        var mark: Int64 = 0
        return made(by: mapping, after: &mark, limit: .max)
    }

    /// The same in batches.
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

    // MARK: What became of what

    func destinations(of source: ObjectReference, _ mapping: String) -> [ObjectReference] {
        guard let group = groups[mapping] else { return [] }
        return attempt([]) { () throws(StoreError) in
            try table?.destinations(of: source, group: group) ?? []
        }
    }

    /// Of all mappings.
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
