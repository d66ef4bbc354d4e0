package import CoreDataValues

/// The content of a column, for which a dialect declares a type.
package enum ColumnType: Sendable, Hashable {
    /// The key of the table's rows.
    case primaryKey
    /// A key of another row, the number of an entity, a version or a position.
    case number
    case attribute(AttributeType)
}
