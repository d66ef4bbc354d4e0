import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

extension FetchRunner {
    /// Always of stored values: dictionaries do not know of unsaved changes.
    func dictionaries() throws -> [NSDictionary] {
        guard case .dictionaries(let shape) = query.shape else { return [] }
        if handles.count == 1 { return try dictionaries(query, shape, in: handles[0]) }
        let found = try fold(shape) ?? joined(shape)
        return query.window(try sorted(found, shape))
    }

    private func joined(_ shape: DictionaryShape) throws -> [NSDictionary] {
        var stored = query
        (stored.limit, stored.offset) = (query.limit > 0 ? query.offset + query.limit : 0, 0)
        return try handles.flatMap { try dictionaries(stored, shape, in: $0) }
    }

    /// Groups, totals and distinct ones over the rows of all stores; nil if there are none to make.
    private func fold(_ shape: DictionaryShape) throws -> [NSDictionary]? {
        let model = context.requiredCoordinator.frozen.compiled
        guard let fold = DictionaryFold(shape, of: model[query.entity], in: model) else { return nil }
        var stored = query
        (stored.shape, stored.sort, stored.limit, stored.offset) = (.dictionaries(fold.parts), [], 0, 0)
        let rows = try handles.flatMap { try dictionaries(stored, fold.parts, in: $0) }
        do throws(EvaluationError) {
            return try fold.folded(rows)
        } catch {
            throw StoreError(.unsupported, error.description).nsError()
        }
    }

    func dictionaryCount() throws -> Int {
        guard handles.count == 1, let shape = query.shape.dictionary else { return try dictionaries().count }
        var counting = query
        counting.shape = .dictionaryCount(shape)
        if case .count(let count)? = try storesAnswer(counting) { return count }
        return try dictionaries().count
    }

    private func dictionaries(
        _ query: FetchQuery, _ shape: DictionaryShape, in handle: StoreHandle
    ) throws -> [NSDictionary] {
        do throws(StoreError) {
            return dictionaries(try handle.backend.fetch(query), shape, from: handle)
        } catch {
            guard case .inexpressible = error.kind else { throw error.nsError() }
            return try split(query, shape, in: handle)
        }
    }

    /// What memory tests it tests first; the store then reads, folds and sorts the rows that are left.
    private func split(
        _ query: FetchQuery, _ shape: DictionaryShape, in handle: StoreHandle
    ) throws -> [NSDictionary] {
        do {
            let split = try handle.backend.split(query)
            var stored = split.stored
            if split.predicate != nil {
                let matches = try matches(query, in: handle)
                let references = matches.map { ExpressionValue.value(.reference($0)) }
                stored.predicate = .comparison(
                    ComparisonNode(
                        .evaluatedObject, .in, .constant(.collection(references, isOrdered: false))))
            }
            if split.sort.isEmpty { (stored.limit, stored.offset) = (query.limit, query.offset) }
            let found = dictionaries(try handle.backend.fetch(stored), shape, from: handle)
            return split.sort.isEmpty ? found : query.window(try sorted(found, shape))
        } catch {
            throw translated(error)
        }
    }

    private func matches(_ query: FetchQuery, in handle: StoreHandle) throws -> [ObjectReference] {
        var rows = query
        (rows.shape, rows.sort, rows.limit, rows.offset) = (.rows, [], 0, 0)
        return try storedValues(rows, in: handle).map(\.reference)
    }

    /// In memory only cells can be sorted by.
    private func sorted(_ dictionaries: [NSDictionary], _ shape: DictionaryShape) throws -> [NSDictionary] {
        if query.sort.isEmpty { return dictionaries }
        let names = Set(shape.columns.map(\.name))
        let keys = try query.sort.map { key in
            let name = key.keys.joined(separator: ".")
            guard names.contains(name) else {
                throw StoreError(
                    .unsupported,
                    "dictionaries are sorted by \(name) in memory, so it has to be among the propertiesToFetch"
                ).nsError()
            }
            return SortKey(keys: [name], isAscending: key.isAscending, collation: key.collation)
        }
        return try ObjectSorting.sorted(dictionaries.map { KeyedDictionary($0) }, by: keys).map(\.dictionary)
    }

    // MARK: Cells

    private func dictionaries(
        _ result: FetchResult, _ shape: DictionaryShape, from handle: StoreHandle
    ) -> [NSDictionary] {
        guard case .dictionaries(let rows) = result else { return [] }
        return rows.map { row in
            let dictionary = NSMutableDictionary()
            for (column, value) in zip(shape.columns, row) {
                if let object = object(value, from: handle) { dictionary[column.name as NSString] = object }
            }
            return dictionary.copy() as! NSDictionary
        }
    }

    private func object(_ value: AttributeValue, from handle: StoreHandle) -> Any? {
        guard case .reference(let reference) = value else { return value.object }
        let frozen = context.requiredCoordinator.frozen
        return NSManagedObjectID(reference, runtime: frozen.runtime(reference.entity), store: handle.store)
    }
}
