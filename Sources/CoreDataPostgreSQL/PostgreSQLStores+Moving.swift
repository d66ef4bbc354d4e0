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
        try using(options, timeout) { session throws(StoreError) in
            let isMoved = try translated(options) { () throws(SQLError) in
                try session.begin(.immediate)
                try lock(session)
                if try hasStore(session) {
                    if mustBeFree { return false }
                    try StoreTables.drop(on: session)
                }
                try makeSchema(options, session)
                try StoreTables.move(from: schema, on: session)
                try session.execute("DROP SCHEMA \(schema)")
                try session.commit()
                return true
            }
            guard isMoved else { throw overtaken(options) }
        }
    }
}
