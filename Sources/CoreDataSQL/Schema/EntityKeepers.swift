/// The triggers that keep the derived attributes of an entity and its spatial indexes.
package struct EntityKeepers: Sendable {
    let derived: [SQLFragment]
    let spatial: [SpatialIndexDefinition]
}

/// A spatial index as a store has it.
struct SpatialIndexDefinition: Sendable {
    let name: SQLIdentifier
    /// The table whose rows it indexes.
    let source: SQLIdentifier
    let table: SQLFragment
    /// The triggers; the first one says what the index holds of a row.
    let triggers: [SQLFragment]
    /// The statement that indexes the existing rows.
    let fill: SQLFragment
}
