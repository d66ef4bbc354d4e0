import CoreDataStore
import CoreDataValues

/// A fetch query with every key path resolved to tables, joins and columns: `QueryBinder` makes it and
/// `SQLWriter` writes it as SQL.
///
/// It names nothing that differs between dialects.
struct BoundQuery {
    var source: BoundSource
    /// The selection of a dictionary query; empty for other shapes, whose selection does not depend on the
    /// query.
    var cells: [BoundExpression] = []
    var isDistinct = false
    var groupBy: [BoundExpression] = []
    var having: BoundCondition?
    var order: [BoundOrder] = []
    /// The greatest number of rows; 0 means no limit.
    var limit = 0
    var offset = 0
}

struct BoundOrder {
    enum Criterion {
        case expression(BoundExpression)
        /// A selected cell, counted from 1.
        case cell(Int)
    }

    var criterion: Criterion
    var collation: SortCollation?
    var isAscending: Bool
}

/// A column of the statement: `t<alias>.<name>`.
struct BoundColumn: Hashable {
    var alias: Int
    var name: SQLIdentifier
    /// Whether an index has the beginning of the texts, not all of them.
    var isIndexedText = false
}

/// The FROM and WHERE of a select or of a sub-select, which may refer to the columns of the selects around
/// it.
struct BoundSource {
    var table: BoundTable
    var alias: Int
    var joins: [BoundJoin]
    var conditions: [BoundCondition]
}

enum BoundTable {
    case named(SQLIdentifier)
    /// The pairs of a relationship that is its own inverse, which are stored in one or both directions
    /// (sqlite-store §8).
    case bothDirections(table: SQLIdentifier, owner: SQLIdentifier, member: SQLIdentifier)
}

/// A join, `JOIN <table> t<alias> ON <left> = t<alias>.<column>`, limited to rows of some entities if any are
/// named.
struct BoundJoin {
    enum Kind {
        /// The join of to-many steps inside a sub-select.
        case inner
        /// The join of to-one steps, so that a missing destination reads as null.
        case leftOuter
    }

    var kind: Kind
    var table: BoundTable
    var alias: Int
    var column: SQLIdentifier
    var left: BoundColumn
    /// The entities by their values of Z_ENT.
    var entities: [Int64] = []
}
