import CoreDataPredicates
package import CoreDataStore

/// The division of a query between SQL and memory: `FetchQuery -> QuerySplit`.
///
/// Pure.
///
/// A predicate is divided at its outermost ANDs, including those that NOT makes of an OR. A part that SQL can
/// express goes to SQL alone. Any other part is tested in memory as a whole, and if there is a weaker
/// condition that SQL can express, SQL tests that first: `age > 5 OR name == "x"` for `(age > 5 AND block) OR
/// name == "x"`.
package struct QuerySplitter {
    private let schema: StoreSchema
    private let writer: SQLWriter

    package init(schema: StoreSchema, dialect: any QueryDialect) {
        self.schema = schema
        writer = SQLWriter(dialect: dialect)
    }

    package func split(_ query: FetchQuery) throws(StoreError) -> QuerySplit {
        var split = QuerySplit(stored: query)
        if let predicate = query.predicate {
            var stored: [PredicateNode] = []
            var rest: [PredicateNode] = []
            for part in conjuncts(predicate) {
                let weakened = try weakened(part, of: query)
                if let condition = weakened.condition { stored.append(condition) }
                if !weakened.isExact { rest.append(part) }
            }
            split.stored.predicate = joined(.and, stored)
            split.predicate = joined(.and, rest)
        }
        if try !canSort(query) {
            split.sort = query.sort
            split.stored.sort = []
        }
        try check(split, query)
        if split.predicate != nil || !split.sort.isEmpty {
            (split.stored.limit, split.stored.offset) = (0, 0)
        }
        return split
    }

    private func joined(_ logical: LogicalOperator, _ parts: [PredicateNode]) -> PredicateNode? {
        parts.count < 2 ? parts.first : .compound(logical, parts)
    }

    // MARK: Predicates

    /// Returns the conditions that must all hold for the predicate to hold.
    private func conjuncts(_ predicate: PredicateNode) -> [PredicateNode] {
        switch predicate {
        case .compound(.and, let operands): operands.flatMap(conjuncts)
        case .compound(.not, let operands) where operands.count == 1:
            negated(operands[0]).map(conjuncts) ?? [predicate]
        default: [predicate]
        }
    }

    /// Returns the negation of a compound predicate, with NOT moved to its operands; nil for any other
    /// predicate.
    private func negated(_ predicate: PredicateNode) -> PredicateNode? {
        guard case .compound(let logical, let operands) = predicate else { return nil }
        switch logical {
        case .not: return operands.count == 1 ? operands[0] : nil
        case .and: return .compound(.or, operands.map { .compound(.not, [$0]) })
        case .or: return .compound(.and, operands.map { .compound(.not, [$0]) })
        }
    }

    private struct Weakened {
        /// The condition that SQL can test; nil for none.
        var condition: PredicateNode?
        /// Whether the condition is all there is to test.
        var isExact: Bool
    }

    private func weakened(_ predicate: PredicateNode, of query: FetchQuery) throws(StoreError) -> Weakened {
        if try isExpressible(predicate, of: query) { return Weakened(condition: predicate, isExact: true) }
        guard case .compound(let logical, let operands) = predicate else {
            return Weakened(condition: nil, isExact: false)
        }
        if logical == .not {
            guard operands.count == 1, let inner = negated(operands[0]) else {
                return Weakened(condition: nil, isExact: false)
            }
            return Weakened(condition: try weakened(inner, of: query).condition, isExact: false)
        }
        var conditions: [PredicateNode] = []
        for operand in operands {
            if let condition = try weakened(operand, of: query).condition { conditions.append(condition) }
        }
        let isOpen = logical == .or && conditions.count < operands.count
        guard !isOpen, let condition = joined(logical, conditions), try isExpressible(condition, of: query)
        else {
            return Weakened(condition: nil, isExact: false)
        }
        return Weakened(condition: condition, isExact: false)
    }

    private func isExpressible(_ predicate: PredicateNode, of query: FetchQuery) throws(StoreError) -> Bool {
        try succeeds(query) { scope throws(StoreError) in
            // Five levels are left for the selects around the condition, as when a query with a limit is
            // counted.
            try writer.checkNesting(of: writer.write(scope.predicates.bind(predicate)), below: 5)
        }
    }

    // MARK: Sorting

    private func canSort(_ query: FetchQuery) throws(StoreError) -> Bool {
        // Sort keys may name cells, which only the binding of the whole query knows.
        if query.shape.dictionary != nil {
            return query.sort.allSatisfy {
                $0.hasStandardOrder || !$0.hasComparator && writer.dialect.hasCollations
            }
        }
        return try succeeds(query) { scope throws(StoreError) in
            _ = try SortBinder(scope: scope).bind(query.sort)
        }
    }

    private func succeeds(
        _ query: FetchQuery,
        _ body: (BindingScope) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        let scope = try BindingScope(schema: schema, dialect: writer.dialect, entity: query.entity)
        do throws(StoreError) {
            try body(scope)
            return true
        } catch {
            guard case .inexpressible = error.kind else { throw error }
            return false
        }
    }

    // MARK: Memory's part

    /// Throws for keys in memory's part that do not exist or have no stored values, as SQL's part does.
    private func check(_ split: QuerySplit, _ query: FetchQuery) throws(StoreError) {
        let checker = MemoryKeyPathCheck(
            scope: try BindingScope(schema: schema, dialect: writer.dialect, entity: query.entity))
        if let predicate = split.predicate { try checker.check(predicate) }
        if query.shape.dictionary != nil { return }
        for key in split.sort { try checker.check(.keyPath(operand: .evaluatedObject, keys: key.keys)) }
    }
}

extension SortKey {
    fileprivate var hasStandardOrder: Bool {
        if case .standard = collation { true } else { false }
    }

    fileprivate var hasComparator: Bool {
        if case .comparator = collation { true } else { false }
    }
}
