import CLibpq
import Foundation

/// The place of a PostgreSQL database and the settings of connections to it.
///
/// Its descriptions leave user and password out.
package struct ConnectionOptions: Sendable, Hashable {
    /// The use that a connection is for.
    package enum Role: Sendable, Hashable {
        /// Any statement. Of several hosts the connection takes one that writes.
        case writer
        /// Statements that read. Of several hosts the connection takes a replica, if one answers.
        case reader
        /// Statements that read at a replica. Of several hosts the connection takes a replica, or fails.
        case standby
    }

    /// The schema in which unqualified names are looked up; nil for the server's choice.
    package let schema: String?
    /// The values of libpq's parameters, by name.
    private let parameters: [String: String]

    /// Settings by which a connection to an unreachable host fails within seconds, unless the URL has its own.
    /// Without them a client waits several minutes for an answer.
    private static let defaults = [
        "tcp_user_timeout": "5000",
        "keepalives": "1",
        "keepalives_idle": "2",
        "keepalives_interval": "1",
        "keepalives_count": "2",
        "fallback_application_name": ProcessInfo.processInfo.processName,
    ]

    /// Reads `postgresql://user:password@host1:port1,host2:port2/database?parameter=value`, in which every
    /// part may be missing, with libpq's parameters and `schema`.
    ///
    /// `URL` takes several hosts only as parameters: `?host=h1,h2&port=5432,5433`.
    ///
    /// - Parameters:
    ///   - user: The user; nil for the URL's.
    ///   - password: The password; nil for the URL's, or that of libpq's password file.
    /// - Throws: `invalidOptions`, without quoting the URL.
    package init(_ url: String, user: String? = nil, password: String? = nil) throws(PostgreSQLError) {
        var values = try ConnectionURL(url).parameters
        if let user { values["user"] = user }
        if let password { values["password"] = password }
        schema = values.removeValue(forKey: "schema")
        // The message leaves out the parameter's name, which may be a part of a password that was not
        // escaped.
        guard values.keys.allSatisfy(Self.known.contains) else {
            throw PostgreSQLError(
                kind: .invalidOptions, message: "the URL has a parameter that libpq does not know")
        }
        parameters = values
    }

    private init(schema: String?, _ parameters: [String: String]) {
        self.schema = schema
        self.parameters = parameters
    }

    /// Returns the options of connections to other servers of the same cluster.
    ///
    /// - Parameter url: The servers' URL, whose parts take the places of those here. What it lacks is as here, and
    ///   so is the schema.
    package func merging(_ url: String) throws(PostgreSQLError) -> ConnectionOptions {
        let given = try ConnectionOptions(url).parameters
        var result = parameters
        // A list of ports or addresses belongs to its list of hosts.
        if given["service"] != nil || !Self.place.isDisjoint(with: given.keys) {
            for name in Self.place { result[name] = nil }
        }
        result.merge(given) { $1 }
        return ConnectionOptions(schema: schema, result)
    }

    /// Returns the options of connections to one of the hosts.
    ///
    /// - Parameter address: The address that the host's name stands for, where it may stand for several.
    func at(host: String, address: String, port: String) -> ConnectionOptions {
        var result = parameters
        (result["host"], result["port"]) = (host, port)
        result["hostaddr"] = address.isEmpty ? nil : address
        result["connect_timeout"] = parameters["connect_timeout"] ?? patience
        return ConnectionOptions(schema: schema, result)
    }

    private static let place: Set<String> = ["host", "hostaddr", "port"]

    /// The names of libpq's parameters.
    private static let known: Set<String> = {
        guard let first = PQconndefaults() else { return [] }
        defer { PQconninfoFree(first) }
        var names: Set<String> = []
        var option = first
        while let name = option.pointee.keyword {
            names.insert(String(cString: name))
            option += 1
        }
        return names
    }()

    /// The seconds a host has to answer, unless the URL says: few where another one can be asked, more where a
    /// busy one is all there is.
    private var patience: String {
        let places = [parameters["host"], parameters["hostaddr"]]
        return places.contains { $0?.contains(",") == true } ? "2" : "10"
    }

    /// Returns names and values for libpq.
    func settings(for role: Role) -> [String: String] {
        var settings = Self.defaults.merging(parameters) { _, given in given }
        settings["connect_timeout"] = parameters["connect_timeout"] ?? patience
        settings["client_encoding"] = "UTF8"
        settings["target_session_attrs"] =
            switch role {
            case .writer: "read-write"
            case .reader: "prefer-standby"
            case .standby: "standby"
            }
        return settings
    }

    var redaction: Redaction {
        var redaction = Redaction()
        for name in ["password", "sslpassword"] { redaction.add(secret: parameters[name] ?? "") }
        redaction.add(name: parameters["user"] ?? "")
        return redaction
    }
}

extension ConnectionOptions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The place of the database as a URL: hosts, ports, database and schema.
    package var description: String {
        func escaped(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? Redaction.mark
        }
        let shown = [
            ("host", parameters["host"] ?? parameters["hostaddr"]), ("port", parameters["port"]),
            ("service", parameters["service"]), ("schema", schema),
        ]
        let query = shown.compactMap { name, value in value.map { "\(name)=\(escaped($0))" } }
        let database = "postgresql:///\(escaped(parameters["dbname"] ?? ""))"
        return query.isEmpty ? database : "\(database)?\(query.joined(separator: "&"))"
    }

    package var debugDescription: String { description }

    /// Shows no more than the description, since `dump` would print the password.
    package var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
