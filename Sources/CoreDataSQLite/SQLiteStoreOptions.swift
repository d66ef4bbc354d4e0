/// How a SQLite store is opened: the values behind the options of `addPersistentStore`.
package struct SQLiteStoreOptions: Sendable, Hashable {
    package var isReadOnly: Bool
    /// Seconds to wait for another process's lock; the default is that of store descriptions.
    package var timeout: Double
    /// `NSSQLitePragmasOption`, run after our own settings.
    package var pragmas: [String: String]
    /// Most connections that read at once.
    package var connectionPoolSize: Int
    /// Creates the history tables and records changes in them.
    package var tracksHistory: Bool
    /// Seconds after which recorded changes are forgotten; nil keeps all.
    package var historyRetention: Double?
    /// Runs VACUUM when the store is opened.
    package var manualVacuum: Bool
    /// Runs ANALYZE when the store is opened.
    package var analyze: Bool

    package init(
        isReadOnly: Bool = false,
        timeout: Double = 240,
        pragmas: [String: String] = [:],
        connectionPoolSize: Int = 4,
        tracksHistory: Bool = false,
        historyRetention: Double? = nil,
        manualVacuum: Bool = false,
        analyze: Bool = false
    ) {
        self.isReadOnly = isReadOnly
        self.timeout = timeout
        self.pragmas = pragmas
        self.connectionPoolSize = connectionPoolSize
        self.tracksHistory = tracksHistory
        self.historyRetention = historyRetention
        self.manualVacuum = manualVacuum
        self.analyze = analyze
    }
}
