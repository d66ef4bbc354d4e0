package import CoreData
package import CoreDataSyncCore
internal import Foundation

extension SyncEngine {
    package var pendingCount: Int { ledger.pending.count + ledger.header.frozen.count }

    package var schema: SyncSchema { reader.binding.schema }

    /// Returns all objects of the store as they are now.
    package func readStore() async throws -> Capture { try await reader.read(since: nil) }

    /// Returns how many objects differ from what the ledger knows.
    package func verifyCount() async throws -> Int {
        let capture = try await reader.read(since: nil)
        return ledger.differences(from: capture, reader.binding.schema).count
    }

    /// Has the machine look at the whole store in its next cycle.
    mutating func forgetPosition() async throws { try await change { $0.header.token = nil } }
}

extension StoreSynchronizer {
    /// Returns the sync schema of a model.
    package static func schema(of model: NSManagedObjectModel) throws -> SyncSchema {
        try ModelBinding(model.entities).schema
    }
}
