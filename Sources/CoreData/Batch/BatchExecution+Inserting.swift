import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

extension BatchExecution {
    /// Inserts into the first store that holds the entity, as a save does.
    func execute(_ request: NSBatchInsertRequest) throws -> NSBatchInsertResult {
        let index = try entityIndex(request.entity, named: request.entityName, "NSBatchInsertRequest")
        let runtime = frozen.runtime(index)
        request.entity = runtime.entity
        guard !runtime.compiled.isAbstract else {
            throw CoreDataError.error(
                NSCoreDataError,
                reason: "NSBatchInsertRequest cannot insert objects of the abstract entity "
                    + "\(runtime.name): name one of its subentities.")
        }
        let target = try targets(of: index..<index + 1, request)[0]
        let batch = BatchInsert(
            entity: index, policy: try takenValuePolicy(),
            terms: terms(wantsReferences: request.resultType == .objectIDs))
        var rows = BatchRows(request, runtime)
        let receipt = try run(in: target) { backend throws(StoreError) in
            try backend.run(batch) { rows.next() }
        }
        let result: Any =
            switch request.resultType {
            case .statusOnly: NSNumber(value: true)
            case .objectIDs: ids(receipt.references, in: target)
            case .count: NSNumber(value: receipt.count)
            }
        return NSBatchInsertResult(result, type: request.resultType)
    }

    /// Returns what the context's merge policy means for a row whose unique values are taken.
    ///
    /// Of a policy of the app's own class only `mergeType` counts: a batch has no objects that it could
    /// resolve.
    private func takenValuePolicy() throws -> TakenValuePolicy {
        switch context.requiredMergePolicy.mergeType {
        case .errorMergePolicyType: .fail
        case .rollbackMergePolicyType: .keepStored
        case .mergeByPropertyStoreTrumpMergePolicyType: .fillStored
        case .mergeByPropertyObjectTrumpMergePolicyType: .updateStored
        case .overwriteMergePolicyType: .replaceStored
        }
    }
}
