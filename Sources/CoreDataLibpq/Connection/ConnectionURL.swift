import Foundation

/// The parts of a PostgreSQL URL. libpq could parse it, but quotes the URL in its errors, password included.
struct ConnectionURL {
    /// Values by libpq's names. `host` and `port` are lists with one element per host.
    private(set) var parameters: [String: String] = [:]

    private static let schemes = ["postgresql://", "postgres://"]

    init(_ url: String) throws(PostgreSQLError) {
        guard let scheme = Self.schemes.first(where: url.hasPrefix) else {
            throw Self.invalid("the URL does not begin with postgresql://")
        }
        guard !url.contains("#") else { throw Self.invalid("a # in the URL must be written as %23") }
        let parts = url.dropFirst(scheme.count).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let location = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        // A password with a / or ? that is not escaped would be read as the database or a parameter, and
        // shown.
        guard !location.dropFirst().joined().contains("@"), !parts.dropFirst().joined().contains("@") else {
            throw Self.invalid(
                "an @ after the host, and a / or ? before it, must be written as %40, %2F or %3F")
        }
        try readAuthority(location[0])
        if location.count > 1 { try set("dbname", location[1]) }
        for parameter in (parts.dropFirst().first ?? "").split(separator: "&") {
            let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { throw Self.invalid("a parameter of the URL has no value") }
            try set(try Self.decoded(pair[0]), pair[1])
        }
    }

    private mutating func readAuthority(_ authority: Substring) throws(PostgreSQLError) {
        var hosts = authority
        if let at = authority.lastIndex(of: "@") {
            let user = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            try set("user", user[0])
            if user.count > 1 { try set("password", user[1]) }
            hosts = authority[authority.index(after: at)...]
        }
        guard !hosts.isEmpty else { return }
        var names: [String] = []
        var ports: [String] = []
        for host in hosts.split(separator: ",", omittingEmptySubsequences: false) {
            // The colons of an IPv6 address are in brackets.
            let end =
                host.firstIndex(of: "]").map(host.index(after:)) ?? host.firstIndex(of: ":") ?? host.endIndex
            let port = host[end...]
            guard port.isEmpty || (port.first == ":" && port.dropFirst().allSatisfy(\.isWholeNumber)) else {
                throw Self.invalid("a port of the URL is not a number")
            }
            names.append(try Self.decoded(host[..<end].trimmingPrefix("[").prefix { $0 != "]" }))
            ports.append(String(port.dropFirst()))
        }
        parameters["host"] = names.joined(separator: ",")
        if ports.contains(where: { !$0.isEmpty }) { parameters["port"] = ports.joined(separator: ",") }
    }

    private mutating func set(_ name: String, _ value: Substring) throws(PostgreSQLError) {
        let value = try Self.decoded(value)
        if !value.isEmpty { parameters[name] = value }
    }

    private static func decoded(_ text: Substring) throws(PostgreSQLError) -> String {
        guard let decoded = text.removingPercentEncoding, !decoded.contains("\0") else {
            throw invalid("a % in the URL does not begin an escaped character")
        }
        return decoded
    }

    private static func invalid(_ message: String) -> PostgreSQLError {
        PostgreSQLError(kind: .invalidOptions, message: message)
    }
}
