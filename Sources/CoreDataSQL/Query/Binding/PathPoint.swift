import CoreDataStore
import CoreDataValues

/// An object on a key path: the column that holds its key, and its row once a key path has used it.
struct PathPoint {
    /// The select that contains the object's row, or the row from which a relationship leads to it.
    var select: SelectBuilder
    var entity: EntityIndex
    var key: BoundColumn
    /// The alias of the object's row, if it is part of the statement already.
    var row: Int?
    /// The column beside the key with the concrete entity's number.
    var entityColumn: SQLIdentifier?
    /// The column of the object's position in the ordered relationship that led to it.
    var order: BoundColumn?
    /// Whether only some of the objects have the row: a cast leaves out objects of other entities.
    var isPartial = false
    /// Whether the path went through a to-many, so that each row of the select leads to such an object.
    var isMember = false
    /// Whether several rows of the select may lead to one object, and some to none.
    var mayRepeat = false

    var isRow: Bool { row == key.alias }
    var isNullable: Bool { !isRow || isPartial }

    /// The select of the rows that the to-many relationships on the path lead to; nil if there is just one
    /// object.
    var collection: SelectBuilder? { isMember ? select : nil }
}

extension PathPoint {
    /// Begins a select of the rows of a table.
    ///
    /// - Parameters:
    ///   - table: The table of the object.
    ///   - outer: Any select of the statement; nil begins a statement.
    init(rowOf table: EntityTable, within outer: SelectBuilder?) {
        select = SelectBuilder(.named(table.tableName), within: outer)
        entity = table.entity
        key = BoundColumn(alias: select.source.alias, name: NameMangling.key)
        row = key.alias
    }

    /// Returns the alias of the object's row, which is joined at its first use.
    func row(in schema: StoreSchema) throws(StoreError) -> Int {
        if let row { return row }
        return select.row(of: try schema.table(of: entity).tableName, keyedBy: key)
    }
}
