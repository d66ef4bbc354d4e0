/// The triggers that keep the derived attributes and the spatial indexes of an entity up to date.
package struct EntityKeepers: Sendable {
    let derived: [SQLFragment]
    let spatial: [SpatialIndexDefinition]
}

/// A spatial index as statements of SQL.
struct SpatialIndexDefinition: Sendable {
    let name: SQLIdentifier
    /// The table whose rows it indexes.
    let source: SQLIdentifier
    let table: SQLFragment
    /// The triggers. A store has the index in this form if it has the first one.
    let triggers: [SQLFragment]
    /// The statement that indexes the existing rows.
    let fill: SQLFragment
}
