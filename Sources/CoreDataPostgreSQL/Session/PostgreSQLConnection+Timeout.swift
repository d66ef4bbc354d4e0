import CoreDataLibpq
import CoreDataSQL

extension PostgreSQLConnection {
    /// Connects, and has statements fail that wait longer for the lock of another session.
    ///
    /// - Parameter lockTimeout: Seconds.
    convenience init(_ options: ConnectionOptions, lockTimeout: Double) throws(PostgreSQLError) {
        try self.init(options)
        let milliseconds = Int64(min(max((lockTimeout * 1000).rounded(.up), 1), Double(Int32.max)))
        try run("SELECT set_config('lock_timeout', ?, false)", ParameterList("\(milliseconds)"))
    }
}
