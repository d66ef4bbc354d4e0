package import CoreDataPredicates
package import CoreDataValues

/// A fetch request frozen to values.
package struct FetchQuery: Sendable, Hashable {
    package var entity: EntityIndex
    package var includesSubentities: Bool
    package var predicate: PredicateNode?
    package var sort: [SortKey]
    /// 0 means no limit.
    package var limit: Int
    package var offset: Int
    package var shape: ResultShape

    package init(
        entity: EntityIndex,
        includesSubentities: Bool = true,
        predicate: PredicateNode? = nil,
        sort: [SortKey] = [],
        limit: Int = 0,
        offset: Int = 0,
        shape: ResultShape = .rows
    ) {
        self.entity = entity
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.sort = sort
        self.limit = limit
        self.offset = offset
        self.shape = shape
    }

    /// The part of a whole result that limit and offset leave.
    package func window<Element>(_ elements: [Element]) -> [Element] {
        if limit == 0, offset == 0 { return elements }
        let start = min(offset, elements.count)
        let end = limit > 0 ? min(start + limit, elements.count) : elements.count
        return Array(elements[start..<end])
    }
}

/// What a query is to answer with.
package enum ResultShape: Sendable, Hashable {
    /// Whole rows.
    case rows
    /// Entity and key only.
    case references
    case count
    case dictionaries(DictionaryShape)
    /// How many dictionaries there are: groups and distinct ones, where the shape makes such.
    case dictionaryCount(DictionaryShape)

    /// The columns of dictionaries, which are read or only counted.
    package var dictionary: DictionaryShape? {
        switch self {
        case .dictionaries(let shape), .dictionaryCount(let shape): shape
        case .rows, .references, .count: nil
        }
    }

    package var isCount: Bool {
        switch self {
        case .count, .dictionaryCount: true
        case .rows, .references, .dictionaries: false
        }
    }
}

/// Columns of a dictionary result and how rows are folded together.
package struct DictionaryShape: Sendable, Hashable {
    package struct Column: Sendable, Hashable {
        package var name: String
        package var expression: ExpressionNode
        package var type: AttributeType

        package init(name: String, expression: ExpressionNode, type: AttributeType) {
            self.name = name
            self.expression = expression
            self.type = type
        }
    }

    package var columns: [Column]
    package var groupBy: [ExpressionNode]
    package var having: PredicateNode?
    package var isDistinct: Bool

    package init(
        columns: [Column],
        groupBy: [ExpressionNode] = [],
        having: PredicateNode? = nil,
        isDistinct: Bool = false
    ) {
        self.columns = columns
        self.groupBy = groupBy
        self.having = having
        self.isDistinct = isDistinct
    }
}

/// The answer, in the shape the query asked for.
package enum FetchResult: @unchecked Sendable {
    case rows([Snapshot])
    case references([ObjectReference])
    case count(Int)
    /// One array a row, in the order of the shape's columns.
    case dictionaries([[AttributeValue]])
}
