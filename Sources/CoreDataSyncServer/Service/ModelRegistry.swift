import CoreDataSyncCore
import Synchronization

/// The model that the server's rules follow: that of the first device, with what later versions add.
final class ModelRegistry: Sendable {
    private let current: Mutex<SyncSchema?>
    /// Whether devices may add to the model; otherwise the operator alone does.
    private let allowsNew: Bool

    init(_ schema: SyncSchema?, allowsNew: Bool) {
        current = Mutex(schema)
        self.allowsNew = allowsNew
    }

    func schema() throws -> SyncSchema {
        guard let schema = current.withLock({ $0 }) else {
            throw ServiceError.model("the server has no model yet: a device says hello first")
        }
        return schema
    }

    /// Returns the model with what another one adds; nil if it adds nothing.
    func united(with model: SyncModel) throws -> SyncSchema? {
        // The model of a device must make sense by itself.
        let own = try model.compiled()
        guard let schema = current.withLock({ $0 }) else {
            guard allowsNew else { throw ServiceError.model("the operator has not given a model yet") }
            return own
        }
        let united = try schema.model.united(with: model)
        guard united != schema.model else { return nil }
        guard allowsNew else { throw ServiceError.model("the model has more than the one of the operator") }
        return try united.compiled()
    }

    func replace(by schema: SyncSchema?) { current.withLock { $0 = schema } }
}
