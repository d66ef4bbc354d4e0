/// The options of `addPersistentStore` for a store in a database, as values.
package struct DatabaseOptions: Sendable, Equatable {
    package var isReadOnly: Bool
    /// Seconds to wait for the lock of another process. The default is that of store descriptions.
    package var timeout: Double
    /// The pragmas of `NSSQLitePragmasOption`, which a SQLite store runs after the framework's settings.
    package var pragmas: [String: String]
    /// The greatest number of connections that read at once.
    package var connectionPoolSize: Int
    /// Whether changes are recorded in history tables, which are made if need be.
    package var tracksHistory: Bool
    /// Seconds after which recorded changes are deleted; nil keeps all.
    package var historyRetention: Double?
    /// Whether a SQLite store is rebuilt (VACUUM) when it is opened.
    package var manualVacuum: Bool
    /// Whether a SQLite store is analysed (ANALYZE) when it is opened.
    package var analyze: Bool
    /// Whether each transaction leaves a mark in the database of a server, by which its outcome is known if the
    /// connection is lost meanwhile.
    package var leavesSaveMarks: Bool
    /// The URL of servers that follow that of the store, and answer reads where they have what the store has seen.
    package var standbys: String?

    /// The key in a store's metadata of the readers of its history, for which unread history is spared.
    package static let historyConsumersKey = "PersistentHistoryConsumers"
    /// The key in a store's metadata of the keys that migrations have changed.
    package static let keyMovesKey = "PersistentStoreKeyMoves"

    package init(
        isReadOnly: Bool = false,
        timeout: Double = 240,
        pragmas: [String: String] = [:],
        connectionPoolSize: Int = 4,
        tracksHistory: Bool = false,
        historyRetention: Double? = nil,
        manualVacuum: Bool = false,
        analyze: Bool = false,
        leavesSaveMarks: Bool = true,
        standbys: String? = nil
    ) {
        self.isReadOnly = isReadOnly
        self.timeout = timeout
        self.pragmas = pragmas
        self.connectionPoolSize = connectionPoolSize
        self.tracksHistory = tracksHistory
        self.historyRetention = historyRetention
        self.manualVacuum = manualVacuum
        self.analyze = analyze
        self.leavesSaveMarks = leavesSaveMarks
        self.standbys = standbys
    }
}
