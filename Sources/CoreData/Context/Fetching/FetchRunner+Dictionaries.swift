import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

extension FetchRunner {
    /// Returns dictionaries of stored values: they do not include unsaved changes.
    func dictionaries() throws -> [NSDictionary] {
        guard case .dictionaries(let shape) = query.shape else { return [] }
        return try cells(shape).map { row in
            let dictionary = NSMutableDictionary()
            for (column, value) in zip(shape.columns, row) {
                if let object = value.unboxed { dictionary[column.name as NSString] = object }
            }
            return dictionary.copy() as! NSDictionary
        }
    }

    func dictionaryCount() throws -> Int {
        guard let shape = query.shape.dictionary else { return 0 }
        if handles.count == 1 {
            var counting = query
            counting.shape = .dictionaryCount(shape)
            if case .count(let count)? = try storesAnswer(counting, in: handles[0]) { return count }
        }
        return try cells(shape).count
    }

    /// Returns one array of values for each dictionary, in the order of the shape's columns.
    private func cells(_ shape: DictionaryShape) throws -> [[ExpressionValue]] {
        if handles.count == 1 {
            var whole = query
            whole.shape = .dictionaries(shape)
            return try cells(whole, shape, in: handles[0])
        }
        let found = try fold(shape) ?? joined(shape)
        return query.window(try sorted(found, shape))
    }

    /// Returns the values of an attribute in the rows that a store finds, by key.
    ///
    /// Nil if the objects themselves have to be read: in a nested context, whose parent may have other
    /// values; in a store of an app's own class; with a predicate that is tested in memory.
    func storedValues(
        of attribute: String, _ type: AttributeType, in handle: StoreHandle
    ) throws -> [Int64: AttributeValue]? {
        guard context.source == nil, !handle.isBindable else { return nil }
        var query = storesPart(of: query)
        // Without limit and offset the order does not matter.
        if query.limit == 0, query.offset == 0 { query.sort = [] }
        query.shape = .dictionaries(
            DictionaryShape(columns: [
                .init(
                    name: attribute, expression: .keyPath(operand: .evaluatedObject, keys: [attribute]),
                    type: type),
                .init(name: "objectID", expression: .evaluatedObject, type: .objectID),
            ]))
        guard case .dictionaries(let rows)? = try storesAnswer(query, in: handle) else { return nil }
        var values = [Int64: AttributeValue](minimumCapacity: rows.count)
        for row in rows {
            if case .reference(let reference) = row[1] { values[reference.key] = row[0] }
        }
        return values
    }

    // MARK: Several stores

    private func joined(_ shape: DictionaryShape) throws -> [[ExpressionValue]] {
        var stored = query
        (stored.limit, stored.offset) = (query.limit > 0 ? query.offset + query.limit : 0, 0)
        return try handles.flatMap { try cells(stored, shape, in: $0) }
    }

    /// Groups and folds the rows of all stores; nil if there is nothing to group or fold.
    private func fold(_ shape: DictionaryShape) throws -> [[ExpressionValue]]? {
        let model = context.requiredCoordinator.frozen.compiled
        guard let fold = DictionaryFold(shape, of: model[query.entity], in: model) else { return nil }
        var stored = query
        (stored.shape, stored.sort, stored.limit, stored.offset) = (.dictionaries(fold.parts), [], 0, 0)
        let rows = try handles.flatMap { try cells(stored, fold.parts, in: $0) }
        return try ObjectSorting.answering { () throws(EvaluationError) in try fold.folded(rows) }
    }

    /// Sorts the rows of several stores in memory by their cells.
    private func sorted(
        _ rows: [[ExpressionValue]], _ shape: DictionaryShape
    ) throws -> [[ExpressionValue]] {
        let sorting: CellSorting
        do throws(StoreError) {
            sorting = try CellSorting(query.sort, of: shape)
        } catch {
            throw error.nsError()
        }
        return try ObjectSorting.answering { () throws(EvaluationError) in try sorting.sorted(rows) }
    }

    // MARK: One store

    private func cells(
        _ query: FetchQuery, _ shape: DictionaryShape, in handle: StoreHandle
    ) throws -> [[ExpressionValue]] {
        let query = local(query, in: handle)
        do throws(StoreError) {
            return cells(try handle.backend.fetch(query), from: handle)
        } catch {
            guard case .inexpressible = error.kind else { throw error.nsError() }
            return try split(query, shape, in: handle)
        }
    }

    /// Tests the predicate in memory first; the store then reads, folds and sorts the rows that match.
    private func split(
        _ query: FetchQuery, _ shape: DictionaryShape, in handle: StoreHandle
    ) throws -> [[ExpressionValue]] {
        do {
            let split = try handle.backend.split(query)
            var stored = split.stored
            if split.predicate != nil || split.sort.isEmpty && query.predicate != nil {
                let matches = try matches(query, in: handle)
                let references = matches.map { ExpressionValue.value(.reference($0)) }
                stored.predicate = .comparison(
                    ComparisonNode(
                        .evaluatedObject, .in, .constant(.collection(references, isOrdered: false))))
            }
            if split.sort.isEmpty { (stored.limit, stored.offset) = (query.limit, query.offset) }
            let found = cells(try handle.backend.fetch(stored), from: handle)
            return split.sort.isEmpty ? found : query.window(try sorted(found, shape))
        } catch {
            throw translated(error)
        }
    }

    private func matches(_ query: FetchQuery, in handle: StoreHandle) throws -> [ObjectReference] {
        var rows = query
        (rows.shape, rows.sort, rows.limit, rows.offset) = (.rows, [], 0, 0)
        return try storedReferences(rows, in: handle)
    }

    /// Returns a store's answer, with IDs in place of its references.
    private func cells(_ result: FetchResult, from handle: StoreHandle) -> [[ExpressionValue]] {
        guard case .dictionaries(let rows) = result else { return [] }
        let frozen = context.requiredCoordinator.frozen
        return rows.map { row in
            row.map { value in
                guard case .reference(let reference) = value else { return .value(value) }
                return .object(
                    NSManagedObjectID(
                        reference, runtime: frozen.runtime(reference.entity), store: handle.store))
            }
        }
    }
}
