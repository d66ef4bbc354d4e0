import CoreDataSQL
import CoreDataSyncCore
import Synchronization

/// The model that the server's rules follow: that of the first device, with what later versions add.
final class ModelRegistry: Sendable {
    private struct State {
        var schema: SyncSchema?
        /// Which model of the database it is.
        var edition: SyncID?
    }

    private let current: Mutex<State>
    /// Whether devices may add to the model; otherwise the operator alone does.
    private let allowsNew: Bool

    init(_ schema: SyncSchema?, _ edition: SyncID?, allowsNew: Bool) {
        current = Mutex(State(schema: schema, edition: edition))
        self.allowsNew = allowsNew
    }

    /// Returns the model of the database; nil if there is none yet.
    func schema(on connection: any SQLConnection) throws -> SyncSchema? {
        try refresh(on: connection)
        return current.withLock { $0.schema }
    }

    /// Returns the model with what another one adds; nil if it adds nothing.
    private func united(with own: SyncSchema) throws -> SyncSchema? {
        guard let schema = current.withLock({ $0.schema }) else {
            guard allowsNew else { throw ServiceError.model("the operator has not given a model yet") }
            return own
        }
        let united = try schema.model.united(with: own.model)
        guard united != schema.model else { return nil }
        guard allowsNew else { throw ServiceError.model("the model has more than the one of the operator") }
        return try united.compiled()
    }

    /// Adds what a model, which makes sense by itself, has to the one of the database.
    ///
    /// Writers come one after the other, so that none misses what another one adds.
    func add(_ model: SyncSchema, on connection: any SQLConnection) throws {
        try refresh(on: connection)
        guard try united(with: model) != nil else { return }
        let facts = ServerFacts(connection)
        try facts.lock()
        try refresh(on: connection)
        guard let united = try united(with: model) else { return }
        try facts.set(united.model)
        let edition = try facts.edition()
        current.withLock { $0 = State(schema: united, edition: edition) }
    }

    /// Takes the model of the database, if another process may have changed it.
    private func refresh(on connection: any SQLConnection) throws {
        guard connection.hasRivals else { return }
        let edition = try ServerFacts(connection).edition()
        if edition != current.withLock({ $0.edition }) { try reload(on: connection) }
    }

    /// Takes the model of the database.
    func reload(on connection: any SQLConnection) throws {
        let facts = ServerFacts(connection)
        let state = State(schema: try facts.model(), edition: try facts.edition())
        current.withLock { $0 = state }
    }
}
