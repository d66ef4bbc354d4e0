import CoreDataLibpq
import CoreDataSQL
import Foundation
import PostgreSQLTestSupport
import Testing

/// The database of the tests' server.
enum Database {
    /// Connects to it.
    static func connect(
        _ parameters: String = "", role: ConnectionOptions.Role = .writer
    ) throws -> PostgreSQLConnection {
        try PostgreSQLConnection(options(parameters), role: role)
    }

    /// Returns the options of a connection to it.
    ///
    /// - Parameter parameters: Parameters to add to the URL, as `name=value&name=value`.
    static func options(_ parameters: String = "") throws -> ConnectionOptions {
        try ConnectionOptions(TestServer.shared().url(with: parameters))
    }

    /// Returns options that lead through a proxy, unencrypted.
    static func options(through proxy: TestProxy) throws -> ConnectionOptions {
        try options("hostaddr=127.0.0.1&port=\(proxy.port)&sslmode=disable")
    }

    static func proxy(delay: TimeInterval = 0) throws -> TestProxy {
        try TestProxy(target: TestServer.shared().port, delay: delay)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a suite if there is no server, and says so.
    static var needsServer: Self {
        .enabled(if: TestServer.isAvailable, "\(TestServer.absence)")
    }
}

extension PostgreSQLConnection {
    /// Runs a statement and returns its first value.
    func value<Value: BinaryValue>(
        _ sql: SQLText, _ parameters: any BinaryValue..., as type: Value.Type = Value.self
    ) throws -> Value? {
        var list = ParameterList()
        for parameter in parameters { list.append(parameter) }
        var result: Value?
        try forEachRow(of: sql, list) { cells throws(PostgreSQLError) in result = cells.value(0) }
        return result
    }
}

/// Returns the kind of the error that the body throws; nil if it throws none.
func kind(of body: () throws -> Void) -> PostgreSQLError.Kind? {
    do {
        try body()
        return nil
    } catch {
        return (error as? PostgreSQLError)?.kind
    }
}
