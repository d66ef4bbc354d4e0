import CoreDataStore
import CoreDataValues

extension SQLConnection {
    /// Runs a statement and passes each row it returns to a closure.
    package func forEachRow(
        of query: SQLFragment,
        _ body: (any SQLStatement) throws(SQLError) -> Void
    ) throws(SQLError) {
        let statement = try prepare(query.sql)
        try statement.bind(query.bindings)
        defer { statement.reset() }
        while try statement.step() { try body(statement) }
    }

    /// Runs a statement whose first columns are Z_PK and Z_ENT, and returns the references of its rows.
    func references(
        _ query: SQLFragment, in family: Range<EntityIndex>, _ schema: StoreSchema
    ) throws(SQLError) -> [ObjectReference] {
        var result: [ObjectReference] = []
        try forEachReference(query, in: family, schema) { result.append($0) }
        return result
    }

    /// Runs a statement whose first columns are Z_PK and Z_ENT, and passes the reference of each row to a
    /// closure.
    ///
    /// Rows of entities outside `family` are left out, and rows with keys below 1, which stand for unsaved
    /// objects.
    @inline(__always)
    func forEachReference(
        _ query: SQLFragment, in family: Range<EntityIndex>, _ schema: StoreSchema,
        _ body: (ObjectReference) -> Void
    ) throws(SQLError) {
        let watch = FetchWatch.current
        // Consecutive rows are mostly of one entity.
        var last: (number: Int64, entity: EntityIndex?) = (-1, nil)
        try forEachRow(of: query) { row in
            watch?.noteRow()
            let number = row.integer(at: 1)
            if number != last.number { last = (number, schema.entity(numbered: number, in: family)) }
            let key = row.integer(at: 0)
            guard let entity = last.entity, key > 0 else { return }
            body(ObjectReference(entity: entity, key: key))
        }
    }

    /// Runs a statement whose only cell is a number, and returns it; 0 if the statement returns nothing.
    package func count(_ query: SQLFragment) throws(SQLError) -> Int {
        let statement = try prepare(query.sql)
        try statement.bind(query.bindings)
        defer { statement.reset() }
        return try statement.step() ? Int(statement.integer(at: 0)) : 0
    }

    /// Returns whether a query finds a row.
    package func findsRow(_ query: SQLFragment) throws(SQLError) -> Bool {
        let statement = try prepare(query.sql)
        try statement.bind(query.bindings)
        defer { statement.reset() }
        return try statement.step()
    }

    /// Runs a statement that returns no rows, and returns the number of rows it changed.
    @discardableResult
    package func run(_ fragment: SQLFragment) throws(SQLError) -> Int {
        let statement = try prepare(fragment.sql)
        try statement.bind(fragment.bindings)
        _ = try statement.step()
        return statement.changedRowCount
    }

    /// Releases the files that the first column of each select names.
    package func releaseExternals(_ selects: [SQLFragment]) throws(SQLError) {
        for select in selects {
            try forEachRow(of: select) { row in releaseExternal(row.value(at: 0)) }
        }
    }
}
