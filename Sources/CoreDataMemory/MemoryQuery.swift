import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// One query over rows in memory, from testing and sorting to the window and shape of the answer.
struct MemoryQuery {
    private let query: FetchQuery
    private let reader: RowReader
    private var model: CompiledModel { reader.tables.model }

    /// Checks a query. Throws `inexpressible` if it needs objects, and an error that names the mistake if it
    /// is meaningless.
    init(_ query: FetchQuery, _ reader: RowReader) throws(StoreError) {
        self.query = query
        self.reader = reader
        if try KeyPathSurvey.needsObjects(query, in: reader.tables.model) {
            throw StoreError(.inexpressible, "the query asks for what only objects have")
        }
    }

    /// Divides a query. If the query needs objects, the store only finds all rows of the entity.
    static func split(_ query: FetchQuery, in model: CompiledModel) throws(StoreError) -> QuerySplit {
        guard try KeyPathSurvey.needsObjects(query, in: model) else { return QuerySplit(stored: query) }
        var stored = query
        (stored.predicate, stored.limit, stored.offset) = (nil, 0, 0)
        if query.shape.dictionary == nil { stored.sort = [] }
        return QuerySplit(
            stored: stored, predicate: query.predicate, sort: stored.sort.isEmpty ? query.sort : [])
    }

    func answer() throws(StoreError) -> FetchResult {
        switch query.shape {
        case .rows: .rows(query.window(try sorted(matches())).map(\.row))
        case .references: .references(query.window(try sorted(matches())).map(\.row.reference))
        case .count: .count(query.window(try matches()).count)
        case .dictionaries(let shape): .dictionaries(try cells(shape))
        case .dictionaryCount(let shape): .count(try cells(shape).count)
        }
    }

    // MARK: Rows

    private func matches() throws(StoreError) -> [KeyedRow] {
        let rows = reader.tables.rows(of: query.entity, includingSubentities: query.includesSubentities)
        let evaluator = try query.predicate.map { predicate throws(StoreError) in
            try evaluating { () throws(EvaluationError) in try NodeEvaluator(predicate) }
        }
        // Without sort keys any matches will do, so the search ends as soon as there are enough.
        let limit = query.sort.isEmpty && query.shape.dictionary == nil ? query.limit : 0
        let watch = FetchWatch.current
        var matches: [KeyedRow] = []
        for row in rows {
            if let watch {
                watch.noteRow()
                if watch.isCancelled { throw StoreError(.cancelled, "the fetch was cancelled") }
            }
            let row = KeyedRow(row, reader)
            let isMatch = try evaluating { () throws(EvaluationError) in
                try evaluator?.matches(row) ?? true
            }
            guard isMatch else { continue }
            matches.append(row)
            if limit > 0, matches.count == query.offset + limit { break }
        }
        return matches
    }

    private func sorted(_ rows: [KeyedRow]) throws(StoreError) -> [KeyedRow] {
        if query.sort.isEmpty { return rows }
        return try evaluating { () throws(EvaluationError) in try SortComparator(query.sort).sorted(rows) }
    }

    /// Turns an error of the evaluation into a store error.
    private func evaluating<Answer>(
        _ body: () throws(EvaluationError) -> Answer
    ) throws(StoreError) -> Answer {
        do throws(EvaluationError) {
            return try body()
        } catch {
            throw StoreError(.unsupported, error.description)
        }
    }

    // MARK: Dictionaries

    private func cells(_ shape: DictionaryShape) throws(StoreError) -> [[AttributeValue]] {
        let rows = try matches()
        let entity = model[query.entity]
        var cells: [[ExpressionValue]]
        if let fold = DictionaryFold(shape, of: entity, in: model) {
            let parts = try values(fold.parts, of: rows)
            cells = try evaluating { () throws(EvaluationError) in try fold.folded(parts) }
            cells = try sorted(cells, shape)
        } else if query.sort.allSatisfy({ isKey($0, of: entity) }) {
            cells = try values(shape, of: sorted(rows))
        } else {
            cells = try sorted(values(shape, of: rows), shape)
        }
        return query.window(cells).map { row in
            row.map { value in
                if case .value(let value) = value { value } else { .null }
            }
        }
    }

    /// Returns whether a sort key is a key of the rows, and not only a column of the dictionaries made of
    /// them.
    private func isKey(_ sort: SortKey, of entity: CompiledEntity) -> Bool {
        sort.keys.first.map { entity.slot(named: $0) != nil || $0 == "objectID" } ?? false
    }

    private func values(_ shape: DictionaryShape, of rows: [KeyedRow]) throws(StoreError)
        -> [[ExpressionValue]]
    {
        try evaluating { () throws(EvaluationError) in
            let evaluators = try shape.columns.map { column throws(EvaluationError) in
                try ExpressionEvaluator(column.expression)
            }
            return try rows.map { row throws(EvaluationError) in
                var cells: [ExpressionValue] = []
                for (column, evaluator) in zip(shape.columns, evaluators) {
                    cells.append(try evaluator.value(for: .object(row)).stored.converted(to: column.type))
                }
                return cells
            }
        }
    }

    private func sorted(
        _ cells: [[ExpressionValue]], _ shape: DictionaryShape
    ) throws(StoreError) -> [[ExpressionValue]] {
        let sorting = try CellSorting(query.sort, of: shape)
        return try evaluating { () throws(EvaluationError) in try sorting.sorted(cells) }
    }
}

extension ExpressionValue {
    /// The value as a column stores it: an object becomes its reference.
    fileprivate var stored: ExpressionValue {
        guard case .object(let object) = self, let reference = object.rowReference else { return self }
        return .value(.reference(reference))
    }
}
