package import CoreDataStore
package import CoreDataValues

/// Which column of a statement feeds which column of a row. Every plan starts with Z_PK, Z_ENT, Z_OPT.
package struct ResultPlan: Sendable {
    package static let keyColumn: Int32 = 0
    package static let entityColumn: Int32 = 1
    package static let versionColumn: Int32 = 2

    /// How the rows of one entity are decoded.
    package struct EntityPlan: Sendable {
        package let layout: RowLayout
        /// Statement column by row column; -1 leaves it null, and is that of a composite.
        package let sources: [Int32]
        /// For to-one columns whose destination has subentities, the statement column of its entity number; -1
        /// where the destination is what the model says.
        package let entitySources: [Int32]
        package let composites: [CompositePlan]
    }

    /// How the composite attribute of a row column is put together.
    package struct CompositePlan: Sendable {
        package struct Element: Sendable {
            package let path: [String]
            package let type: AttributeType
            /// The statement column.
            package let source: Int32
        }

        /// The row column.
        package let column: Int
        package let elements: [Element]
    }

    /// By Z_ENT; nil for numbers that do not belong to the queried entity.
    package let byEntityNumber: [EntityPlan?]
    /// Entity index by Z_ENT, for to-one destinations.
    package let entityIndexByNumber: [Int32]

    package init(byEntityNumber: [EntityPlan?], entityIndexByNumber: [Int32]) {
        self.byEntityNumber = byEntityNumber
        self.entityIndexByNumber = entityIndexByNumber
    }
}
