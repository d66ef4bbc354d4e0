package import CoreDataStore
package import CoreDataValues

/// Which column of a statement feeds which column of a row. Every plan starts with Z_PK, Z_ENT, Z_OPT.
///
/// A class, as are the plans of its entities: a decoder takes hold of either for one count of references.
package final class ResultPlan: Sendable {
    @inlinable package static var keyColumn: Int32 { 0 }
    @inlinable package static var entityColumn: Int32 { 1 }
    @inlinable package static var versionColumn: Int32 { 2 }

    /// A column of a row and the column of the statement that it comes from. A row's column without one stays null.
    package struct Source: Sendable {
        package let column: Int
        package let source: Int32
    }

    /// How the rows of one entity are decoded.
    package final class EntityPlan: Sendable {
        package let layout: RowLayout
        /// Columns of fixed size.
        package let scalars: [Source]
        /// Texts and blobs, whose bytes lie behind the others.
        package let lengthy: [Source]
        /// For to-one columns whose destination has subentities, the statement column of its entity number; -1
        /// where the destination is what the model says.
        package let entitySources: [Int32]
        package let composites: [CompositePlan]

        /// - Parameter sources: by row column, -1 for one that has none or is a composite.
        init(
            layout: RowLayout, sources: [Int32], entitySources: [Int32], composites: [CompositePlan]
        ) {
            self.layout = layout
            self.entitySources = entitySources
            self.composites = composites
            let fed = sources.enumerated().filter { $0.element >= 0 }
                .map { Source(column: $0.offset, source: $0.element) }
            scalars = fed.filter { !layout.columns[$0.column].storage.isLengthy }
            lengthy = fed.filter { layout.columns[$0.column].storage.isLengthy }
        }
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
    private let byEntityNumber: [EntityPlan?]
    /// Entity index by Z_ENT, for to-one destinations.
    package let entityIndexByNumber: [Int32]

    package func entity(numbered number: Int64) -> EntityPlan? {
        byEntityNumber.indices.contains(Int(number)) ? byEntityNumber[Int(number)] : nil
    }

    package init(byEntityNumber: [EntityPlan?], entityIndexByNumber: [Int32]) {
        self.byEntityNumber = byEntityNumber
        self.entityIndexByNumber = entityIndexByNumber
    }
}
