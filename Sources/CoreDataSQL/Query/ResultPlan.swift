package import CoreDataStore
package import CoreDataValues

/// The mapping of a statement's columns to the columns of rows.
///
/// Every plan starts with Z_PK, Z_ENT, Z_OPT.
///
/// It is a class, as are the plans of its entities, so that a decoder retains either with one reference
/// count.
package final class ResultPlan: Sendable {
    @inlinable package static var keyColumn: Int32 { 0 }
    @inlinable package static var entityColumn: Int32 { 1 }
    @inlinable package static var versionColumn: Int32 { 2 }

    /// A column of a row and the column of the statement that it comes from.
    ///
    /// A column of a row that has no source stays null.
    package struct Source: Sendable {
        package let column: Int
        package let source: Int32
    }

    /// The decoding of the rows of one entity.
    package final class EntityPlan: Sendable {
        package let layout: RowLayout
        /// The columns of fixed size.
        package let scalars: [Source]
        /// The texts and blobs, whose bytes are after the others.
        package let lengthy: [Source]
        /// The destinations of to-one columns by row column; nil for other columns.
        package let destinations: [Destination?]
        package let composites: [CompositePlan]

        /// Makes the plan of an entity.
        ///
        /// - Parameter sources: The statement's columns by row column; -1 for one that has none or is a
        ///   composite.
        init(
            layout: RowLayout, sources: [Int32], destinations: [Destination?], composites: [CompositePlan]
        ) {
            self.layout = layout
            self.destinations = destinations
            self.composites = composites
            let fed = sources.enumerated().filter { $0.element >= 0 }
                .map { Source(column: $0.offset, source: $0.element) }
            scalars = fed.filter { !layout.columns[$0.column].storage.isLengthy }
            lengthy = fed.filter { layout.columns[$0.column].storage.isLengthy }
        }
    }

    /// The entities of the objects that a to-one column leads to.
    package struct Destination: Sendable, Equatable {
        /// The statement column of the entity number; -1 where all are of one entity.
        package let entitySource: Int32
        /// The destination and its subentities.
        package let family: Range<EntityIndex>

        /// The destination itself.
        @inlinable package var entity: EntityIndex { family.lowerBound }
    }

    /// The joining of the composite attribute of a row column.
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

    /// The plans by Z_ENT; nil for numbers that do not belong to the queried entity.
    private let byEntityNumber: [EntityPlan?]
    /// The entity indexes by Z_ENT, for to-one destinations.
    package let entityIndexByNumber: [Int32]

    package func entity(numbered number: Int64) -> EntityPlan? {
        byEntityNumber.indices.contains(Int(number)) ? byEntityNumber[Int(number)] : nil
    }

    package init(byEntityNumber: [EntityPlan?], entityIndexByNumber: [Int32]) {
        self.byEntityNumber = byEntityNumber
        self.entityIndexByNumber = entityIndexByNumber
    }
}
