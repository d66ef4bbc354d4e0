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

    /// Returns the part of a whole result that offset and limit select.
    package func window<Element>(_ elements: [Element]) -> [Element] {
        if limit == 0, offset == 0 { return elements }
        let start = min(offset, elements.count)
        let end = limit > 0 ? min(start + limit, elements.count) : elements.count
        return Array(elements[start..<end])
    }
}

/// The form of a query's answer.
package enum ResultShape: Sendable, Hashable {
    /// Whole rows.
    case rows
    /// Entity and key of each row.
    case references
    case count
    case dictionaries(DictionaryShape)
    /// The number of dictionaries, after grouping and removing duplicates where the shape asks for it.
    case dictionaryCount(DictionaryShape)

    /// The shape of the dictionaries that are read or counted; nil for other answers.
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

/// The columns of a dictionary result and the rule by which rows are grouped.
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

/// The answer to a query, in the shape that it asked for.
package enum FetchResult: @unchecked Sendable {
    case rows([Snapshot])
    case references([ObjectReference])
    case count(Int)
    /// One array of values a row, in the order of the shape's columns.
    case dictionaries([[AttributeValue]])
}
