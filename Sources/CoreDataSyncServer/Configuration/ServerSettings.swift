package import CoreDataSyncCore

/// How a server runs: what the configuration file says, and what the environment says instead.
package struct ServerSettings: Sendable {
    package struct TLS: Hashable, Sendable {
        package var certificate: String
        package var key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    package struct JWT: Hashable, Sendable {
        /// Public keys as PEM files.
        package var keys: [String] = []
        /// A key set (JWKS) as a file.
        package var keySet: String?
        /// Whom tokens must be for.
        package var audience: String
        /// Who must have issued them; nil for anyone with a key.
        package var issuer: String?

        package init(audience: String) {
            self.audience = audience
        }
    }

    /// The folder of the blobs, and of the database if that is in SQLite.
    package var data: String
    /// The URL of a database in PostgreSQL; nil for SQLite.
    package var database: String?
    /// The greatest number of connections of this process to PostgreSQL, without the one that listens.
    package var connections = 8
    package var host = "127.0.0.1"
    package var port = 8080
    package var tls: TLS?
    /// Whether HTTP/2 is offered besides HTTP/1.1; only with TLS.
    package var http2 = false
    package var tokens: [StaticTokens.Entry] = []
    package var jwt: JWT?
    /// The version that apps must have; nil for any.
    package var minimumVersion: AppVersion?
    /// Whether devices may add to the model; otherwise the operator alone does.
    package var allowsNewModels = true
    /// After how many days deletions and lost values are forgotten.
    package var retention = 180
    package var limits = ServiceLimits()
    /// What callers of each role may do to single entities.
    package var policies: [Role: ChangePolicy] = [:]
    /// The SHA-256 of the token that reads metrics; without one nobody does.
    package var metrics: [UInt8]?
    package var logLevel = "info"

    package var place: DataPlace {
        DataPlace(folder: DataFolder(data), database: database, connections: connections)
    }
}

/// What is wrong with a configuration, by the path of the member.
package struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ path: String, _ problem: String) {
        description = path.isEmpty ? problem : "\(path): \(problem)"
    }
}
