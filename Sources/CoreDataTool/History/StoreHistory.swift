import CoreData
package import CoreDataJSON
import CoreDataModelFormat
import CoreDataSQL
package import Foundation

/// The history of a store that keeps one.
package struct StoreHistory: Sendable {
    package struct Transaction: Sendable, Hashable {
        package let number: Int64
        package let date: Date
        package let author: String?
        package let context: String?
        package let bundle: String
        package let process: String
        package let changes: [Change]
    }

    package struct Change: Sendable, Hashable {
        /// The kind of change: `insert`, `update` or `delete`.
        package let kind: String
        /// The object, such as `Book/p12`.
        package let object: String
        /// The names of the properties that an update wrote.
        package let properties: [String]
        /// The preserved values of a deleted object.
        package let tombstone: [JSONValue.Member]
    }

    /// The selection of transactions, and of changes in them.
    package struct Filter: Sendable, Hashable {
        /// Only transactions with a higher number; nil for all.
        package var afterNumber: Int64?
        package var afterDate: Date?
        package var author: String?
        package var entity: String?
        /// The greatest number of transactions, of which the last are returned; 0 for all.
        package var limit = 0

        package init() {}
    }

    package let transactions: [Transaction]

    /// Reads the history; nil for a store without one.
    package init?(of store: OpenedStore, _ filter: Filter = Filter()) throws {
        guard try Self.isKept(by: store) else { return nil }
        let entity = try filter.entity.map { try store.requiredModel().entity(named: $0).name }
        transactions = try store.reading { context in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(
                after: filter.afterDate ?? .distantPast)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let found = result?.result as? [NSPersistentHistoryTransaction] ?? []
            let wanted = found.filter { transaction in
                transaction.transactionNumber > filter.afterNumber ?? .min
                    && filter.author.map { $0 == transaction.author } ?? true
            }.map { Self.transaction($0, entity) }.filter { entity == nil || !$0.changes.isEmpty }
            return filter.limit > 0 ? Array(wanted.suffix(filter.limit)) : wanted
        }
    }

    private static func isKept(by store: OpenedStore) throws -> Bool {
        let connection = try store.connection()
        defer { connection.close() }
        return try connection.hasTable("ATRANSACTION") && connection.hasTable("ACHANGE")
    }

    private static func transaction(_ found: NSPersistentHistoryTransaction, _ entity: String?) -> Transaction
    {
        let changes = (found.changes ?? []).filter { change in
            entity.map { $0 == change.changedObjectID.entity.name } ?? true
        }
        return Transaction(
            number: found.transactionNumber, date: found.timestamp, author: found.author,
            context: found.contextName, bundle: found.bundleID, process: found.processID,
            changes: changes.map(change))
    }

    private static func change(_ found: NSPersistentHistoryChange) -> Change {
        let kind =
            switch found.changeType {
            case .insert: "insert"
            case .update: "update"
            case .delete: "delete"
            }
        let tombstone = (found.tombstone ?? [:]).map {
            JSONValue.Member("\($0.key)", CellValue.json($0.value))
        }
        return Change(
            kind: kind, object: CellValue.text(of: found.changedObjectID),
            properties: (found.updatedProperties ?? []).map(\.name).sorted(),
            tombstone: tombstone.sorted { $0.key < $1.key })
    }

    // MARK: Text and JSON

    package var text: String {
        transactions.map { transaction in
            let whoAndWhere = [
                transaction.author.map { "author \($0)" }, transaction.context.map { "context \($0)" },
                transaction.process.isEmpty ? nil : transaction.process,
            ].compactMap { $0 }.joined(separator: ", ")
            let head = "\(transaction.number)  \(Self.text(transaction.date))  \(whoAndWhere)"
            return ([head] + transaction.changes.map(Self.line)).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private static func line(_ change: Change) -> String {
        let properties = change.properties.isEmpty ? "" : "  " + change.properties.joined(separator: ", ")
        let tombstone = change.tombstone.isEmpty ? "" : "  " + JSONValue.object(change.tombstone).line
        return "    \(change.kind)  \(change.object)\(properties)\(tombstone)"
    }

    private static func text(_ date: Date) -> String { DateCoding.text(of: date) ?? "\(date)" }

    package var json: JSONValue {
        .array(
            transactions.map { transaction in
                .object([
                    .init("number", .integer(transaction.number)),
                    .init("date", .string(Self.text(transaction.date))),
                    .init("author", transaction.author.map { .string($0) } ?? .null),
                    .init("context", transaction.context.map { .string($0) } ?? .null),
                    .init("bundle", .string(transaction.bundle)),
                    .init("process", .string(transaction.process)),
                    .init("changes", .array(transaction.changes.map(Self.json))),
                ])
            })
    }

    private static func json(_ change: Change) -> JSONValue {
        .object([
            .init("kind", .string(change.kind)), .init("object", .string(change.object)),
            .init("properties", .array(change.properties.map { .string($0) })),
            .init("tombstone", .object(change.tombstone)),
        ])
    }
}
