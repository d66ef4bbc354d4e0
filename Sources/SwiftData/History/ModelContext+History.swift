import CoreData

extension ModelContext {
    /// Returns transactions of the container's stores with their changes.
    ///
    /// Conditions on author, time, token, numbers and programs are asked of the stores, others are tested
    /// here.
    ///
    /// - Throws: `SwiftDataError.historyTokenExpired` if a part of the history after a token that the
    /// condition
    ///   names was deleted, `.invalidTransactionFetchRequest` for transactions of another type than
    ///   `DefaultHistoryTransaction`; the store's error.
    public func fetchHistory<Transaction: HistoryTransaction>(
        _ descriptor: HistoryDescriptor<Transaction>
    ) throws -> [Transaction] {
        for store in dataStores {
            if let found = try store.call({ try $0.fetchHistory(descriptor) }) { return found }
        }
        guard let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> else {
            throw SwiftDataError(
                .invalidTransactionFetchRequest,
                "the stores have transactions of the type DefaultHistoryTransaction, not \(Transaction.self)")
        }
        var found = try history(meeting: descriptor.predicate).map(\.transaction)
        if !descriptor.sortBy.isEmpty { found.sort(using: descriptor.sortBy) }
        if descriptor.fetchLimit > 0 { found = Array(found.prefix(Int(clamping: descriptor.fetchLimit))) }
        return found as! [Transaction]
    }

    /// Deletes transactions that meet a condition from the history of the container's stores; the models
    /// stay.
    ///
    /// A history has no gaps: the condition has to hold for the oldest transactions of a store, up to one
    /// from which on it holds for none.
    ///
    /// - Throws: `SwiftDataError.invalidTransactionFetchRequest` if an older transaction would stay, or the
    ///   descriptor has a limit, and nothing is deleted; the errors of `fetchHistory(_:)`.
    public func deleteHistory<Transaction: HistoryTransaction>(
        _ descriptor: HistoryDescriptor<Transaction>
    ) throws {
        for store in dataStores where try store.call({ try $0.deleteHistory(descriptor) }) { return }
        guard let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction>,
            descriptor.fetchLimit == 0
        else {
            throw SwiftDataError(
                .invalidTransactionFetchRequest,
                "only a descriptor of DefaultHistoryTransaction without a limit can say what to delete")
        }
        let going = Dictionary(
            grouping: try history(meeting: descriptor.predicate).map(\.record), by: \.storeID)
        let all = Dictionary(grouping: try history(meeting: nil).map(\.record), by: \.storeID)
        for (store, records) in going {
            let oldest = all[store]?.prefix(records.count).map(\.transactionNumber)
            guard Set(records.map(\.transactionNumber)) == oldest.map(Set.init) else {
                throw SwiftDataError(
                    .invalidTransactionFetchRequest,
                    "transactions older than some of those to delete would stay in the history of \(store): "
                        + "give a condition that holds for all up to one, such as \\.timestamp < date")
            }
        }
        for records in going.values {
            guard let last = records.max(by: { $0.transactionNumber < $1.transactionNumber }) else {
                continue
            }
            try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(through: last))
        }
    }

    /// A transaction as Core Data has it, and as a value.
    private struct Entry {
        let record: NSPersistentHistoryTransaction
        let transaction: DefaultHistoryTransaction
    }

    /// Returns the transactions that meet a condition, in the order in which they were written.
    private func history(meeting predicate: Predicate<DefaultHistoryTransaction>?) throws -> [Entry] {
        let condition = HistoryCondition(predicate)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: condition.start)
        if let predicate = condition.predicate {
            request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
            request.fetchRequest?.predicate = predicate
        }
        let records: [NSPersistentHistoryTransaction]
        do {
            let result = try context.execute(request) as? NSPersistentHistoryResult
            records = result?.result as? [NSPersistentHistoryTransaction] ?? []
        } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
            throw SwiftDataError(.historyTokenExpired, underlying: error)
        }
        let entries = records.map {
            Entry(record: $0, transaction: DefaultHistoryTransaction($0, in: container))
        }
        guard let test = condition.test else { return entries }
        return try entries.filter { try test.evaluate($0.transaction) }
    }
}

extension DefaultHistoryTransaction {
    fileprivate init(_ record: NSPersistentHistoryTransaction, in container: ModelContainer) {
        author = record.author
        bundleIdentifier = record.bundleID
        processIdentifier = record.processID
        storeIdentifier = record.storeID
        timestamp = record.timestamp
        token = DefaultHistoryToken(record.token)
        transactionIdentifier = record.transactionNumber
        changes = (record.changes ?? []).compactMap { change in
            container.type(named: change.changedObjectID.entity.name ?? "").map {
                HistoryChange(change, transaction: record.transactionNumber, of: $0)
            }
        }
    }
}

extension HistoryChange {
    fileprivate init<Model: PersistentModel>(
        _ change: NSPersistentHistoryChange, transaction: Int64, of type: Model.Type
    ) {
        let (number, id) = (change.changeID, PersistentIdentifier(change.changedObjectID))
        self =
            switch change.changeType {
            case .insert:
                .insert(
                    DefaultHistoryInsert<Model>(
                        changeIdentifier: number, transactionIdentifier: transaction,
                        changedPersistentIdentifier: id))
            case .update:
                .update(
                    DefaultHistoryUpdate<Model>(
                        changeIdentifier: number, transactionIdentifier: transaction,
                        changedPersistentIdentifier: id,
                        updatedPropertyNames: Set((change.updatedProperties ?? []).map(\.name))))
            case .delete:
                .delete(
                    DefaultHistoryDelete<Model>(
                        changeIdentifier: number, transactionIdentifier: transaction,
                        changedPersistentIdentifier: id, tombstone: HistoryTombstone(change)))
            }
    }
}
