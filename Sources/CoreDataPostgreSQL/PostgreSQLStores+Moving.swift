import CoreDataLibpq
import CoreDataSQL
package import CoreDataStore

/// Drafts of stores: schemas of the same database, whose tables move in one transaction.
extension PostgreSQLStores {
    package static func draft(for place: String, timeout: Double) throws(StoreError) -> any DraftPlace {
        let options = try options(place)
        let session = try session(options, timeout)
        return try translated(options) { () throws(SQLError) in try DraftSchema(place, session) }
    }

    package static func move(
        _ draft: String, to target: String, timeout: Double, mustBeFree: Bool
    ) throws(StoreError) {
        let options = try options(target)
        guard let schema = try self.options(draft).schema.map(SQLIdentifier.foreign) else { return }
        let isMoved = try changing(options, timeout) { session throws(SQLError) in
            if mustBeFree, try hasStore(session) { return false }
            try makeSchema(options, session)
            try StoreTables.replace(by: schema, on: session)
            return true
        }
        guard isMoved else { throw overtaken(options) }
    }
}
