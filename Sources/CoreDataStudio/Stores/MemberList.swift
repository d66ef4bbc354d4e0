import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataStudioInterface
import CoreDataTool
import CoreDataValues

/// The members of a to-many relationship of one object: their number, and some of them, without reading all.
struct MemberList {
    private let source: RowSource
    private let row: ObjectReference
    private let slot: PropertySlot

    init(_ slot: PropertySlot, of row: ObjectReference, in source: RowSource) {
        (self.slot, self.row, self.source) = (slot, row, source)
    }

    func count() throws -> Int {
        guard case .count(let count)? = try source.backend.previews(of: [row], slots: [slot])[row.key]?.first
        else { return 0 }
        return count
    }

    /// Returns members from a position on.
    ///
    /// Members of an ordered relationship, or of one without inverse, cannot be fetched in parts: the keys of all
    /// are read.
    func rows(from: Int, count: Int) throws -> [ObjectReference] {
        guard let relationship = slot.relationship, !relationship.isOrdered,
            let inverse = source.model.compiled.inverse(of: relationship)
        else { return Array(try source.backend.related(slot.index, of: row).dropFirst(from).prefix(count)) }
        let owner = ExpressionNode.constant(.value(.reference(row)))
        let query = FetchQuery(
            entity: relationship.destination,
            predicate: .comparison(
                ComparisonNode(
                    .keyPath(inverse.name), .equalTo, owner, modifier: inverse.isToMany ? .any : .direct)),
            limit: count, offset: from, shape: .references)
        guard case .references(let rows) = try source.backend.fetch(query) else { return [] }
        return rows
    }

    /// Throws a `StudioFailure` if an answer cannot have so many members.
    static func requireRange(from: Int, count: Int) throws {
        guard from >= 0, count > 0, count <= ObjectRecord.mostMembers else {
            throw StoreFailures.malformed("an answer has 1 to \(ObjectRecord.mostMembers) members, from 0 on")
        }
    }
}
