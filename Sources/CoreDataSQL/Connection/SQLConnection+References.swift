import CoreDataStore
import CoreDataValues

extension SQLConnection {
    /// Runs a statement whose first columns are Z_PK and Z_ENT. Rows of entities that the schema lacks are left out.
    func references(_ query: SQLFragment, _ schema: StoreSchema) throws(SQLError) -> [ObjectReference] {
        let statement = try prepare(query.sql)
        try statement.bind(query.bindings)
        defer { statement.reset() }
        let watch = FetchWatch.current
        var result: [ObjectReference] = []
        while try statement.step() {
            watch?.noteRow()
            guard let entity = schema.entityByNumber[statement.integer(at: 1)] else { continue }
            result.append(ObjectReference(entity: entity, key: statement.integer(at: 0)))
        }
        return result
    }
}
