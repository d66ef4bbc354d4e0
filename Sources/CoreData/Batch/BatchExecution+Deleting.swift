import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

extension BatchExecution {
    func execute(_ request: NSBatchDeleteRequest) throws -> NSBatchDeleteResult {
        let index = request.storage.entityIndex(in: frozen)
        let entities = frozen.compiled[index].family(
            includingSubentities: request.storage.includesSubentities)
        let targets = try targets(of: entities, request)
        var total = BatchTotal()
        for (target, rows) in try rows(of: request, in: targets, entity: index) {
            let batch = BatchDelete(
                rows, terms: terms(wantsReferences: request.resultType == .resultTypeObjectIDs))
            let receipt = try run(in: target) { backend throws(StoreError) in try backend.run(batch) }
            total.add(receipt, ids(receipt.references, in: target))
        }
        let result: Any =
            switch request.resultType {
            case .resultTypeStatusOnly: NSNumber(value: true)
            case .resultTypeObjectIDs: total.ids
            case .resultTypeCount: NSNumber(value: total.count)
            }
        return NSBatchDeleteResult(result, type: request.resultType)
    }

    /// Returns the rows to delete in each store.
    ///
    /// With a limit or an offset over several stores, or a predicate or order that SQL cannot express, a
    /// fetch finds the IDs of the rows first.
    private func rows(
        of request: NSBatchDeleteRequest, in targets: [Target], entity: EntityIndex
    ) throws -> [(Target, BatchDelete.Targets)] {
        var ids = request.objectIDs
        let query = try request.storage.query(in: frozen, shape: .references)
        let isWindow = query.limit > 0 || query.offset > 0
        if ids == nil, try targets.count > 1 && isWindow || needsMemory(query, targets) {
            ids = try storedIDs(request.storage)
        }
        guard let ids else { return targets.map { ($0, .query($0.handle.local(query, of: coordinator))) } }
        return targets.map { target in
            let own = ids.filter { $0.persistentStore === target.handle.store }
            return (target, .rows(own.map(\.reference), of: entity))
        }
    }
}
