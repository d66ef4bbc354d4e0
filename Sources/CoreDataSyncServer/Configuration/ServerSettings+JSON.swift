package import CoreDataJSON
import CoreDataSyncCore

extension ServerSettings {
    /// Reads a configuration.
    ///
    /// - Parameters:
    ///   - json: The content of the file; nil if there is none.
    ///   - environment: Variables that count more than the file: `COREDATA_SYNCD_DATA`, `…_DATABASE`,
    ///     `…_LISTEN`, `…_LOG`, and `…_TOKENS`, a list of `user=token` with commas between.
    package init(_ json: JSONValue?, environment: [String: String]) throws(ConfigurationError) {
        var reader = try ConfigurationReader(json ?? .object([]), at: "")
        let data = try reader.text("data")
        guard let data = environment[Self.prefix + "DATA"] ?? data else {
            throw ConfigurationError(
                "data", "the folder for the data is missing (or \(Self.prefix)DATA in the environment)")
        }
        self.init(data: data)
        let database = try reader.text("database")
        self.database = environment[Self.prefix + "DATABASE"] ?? database
        connections = try reader.number("connections", least: 2) ?? connections
        if let text = try reader.text("listen") { try listen(text, at: "listen") }
        if let text = environment[Self.prefix + "LISTEN"] { try listen(text, at: Self.prefix + "LISTEN") }
        if var tls = try reader.object("tls") { self.tls = try Self.tls(&tls) }
        http2 = try reader.boolean("http2") ?? false
        guard !http2 || tls != nil else { throw ConfigurationError("http2", "HTTP/2 needs tls") }
        for (index, value) in try reader.list("tokens").enumerated() {
            tokens.append(try Self.token(value, at: "tokens[\(index)]"))
        }
        if let text = environment[Self.prefix + "TOKENS"] { tokens += try Self.tokens(text) }
        if var jwt = try reader.object("jwt") { self.jwt = try Self.jwt(&jwt) }
        guard !tokens.isEmpty || jwt != nil else {
            throw ConfigurationError("", "neither tokens nor jwt say who may come in")
        }
        if let text = try reader.text("minimumVersion") {
            guard let version = AppVersion(text) else {
                throw ConfigurationError(
                    "minimumVersion", "numbers with periods between are expected, as 2.1")
            }
            minimumVersion = version
        }
        allowsNewModels = try reader.boolean("allowsNewModels") ?? true
        retention = try reader.number("retentionDays", least: 1) ?? retention
        if var limits = try reader.object("limits") { self.limits = try ServiceLimits(&limits) }
        if let policy = try reader.object("policy") { policies = try Self.policies(policy) }
        if let token = try reader.text("metricsToken") {
            try Self.check(token, at: "metricsToken")
            metrics = StaticTokens.digest(of: token)
        }
        let level = try reader.text("log")
        logLevel = environment[Self.prefix + "LOG"] ?? level ?? logLevel
        guard Self.levels.contains(logLevel) else {
            throw ConfigurationError("log", "one of \(Self.levels.joined(separator: ", ")) is expected")
        }
        try reader.finish()
    }

    /// What names of environment variables begin with.
    package static let prefix = "COREDATA_SYNCD_"
    private static let levels = ["trace", "debug", "info", "notice", "warning", "error", "critical"]

    /// Reads `host:port`, with an IPv6 address in brackets.
    private mutating func listen(_ text: String, at path: String) throws(ConfigurationError) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw ConfigurationError(path, "host:port is expected")
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { throw ConfigurationError(path, "host:port is expected") }
        (self.host, self.port) = (String(host), Int(port))
    }

    private static func tls(_ reader: inout ConfigurationReader) throws(ConfigurationError) -> TLS {
        guard let certificate = try reader.text("certificate"), let key = try reader.text("key") else {
            throw ConfigurationError("tls", "certificate and key are expected")
        }
        try reader.finish()
        return TLS(certificate: certificate, key: key)
    }

    private static func jwt(_ reader: inout ConfigurationReader) throws(ConfigurationError) -> JWT {
        guard let audience = try reader.text("audience") else {
            throw ConfigurationError("jwt.audience", "it is missing; tokens for others would be taken")
        }
        var jwt = JWT(audience: audience)
        jwt.issuer = try reader.text("issuer")
        for (index, value) in try reader.list("keys").enumerated() {
            guard let path = value.string else {
                throw ConfigurationError("jwt.keys[\(index)]", "a path is expected")
            }
            jwt.keys.append(path)
        }
        jwt.keySet = try reader.text("keySet")
        guard !jwt.keys.isEmpty || jwt.keySet != nil else {
            throw ConfigurationError("jwt", "neither keys nor keySet")
        }
        try reader.finish()
        return jwt
    }

    // MARK: Tokens

    private static func token(
        _ value: JSONValue, at path: String
    ) throws(ConfigurationError) -> StaticTokens.Entry {
        var reader = try ConfigurationReader(value, at: path)
        guard let user = try reader.text("user"), UserName.isAllowed(user) else {
            throw ConfigurationError("\(path).user", "a name is expected")
        }
        var caller = Caller(user: user)
        if let zones = try reader.object("zones") {
            caller.grants = try grants(zones, user)
            // All members are zones.
        }
        let (token, digest) = (try reader.text("token"), try reader.text("sha256"))
        try reader.finish()
        switch (token, digest) {
        case (let token?, nil):
            try check(token, at: "\(path).token")
            return StaticTokens.Entry(token: token, caller: caller)
        case (nil, let text?):
            guard let digest = BlobHash(text) else {
                throw ConfigurationError("\(path).sha256", "64 small hexadecimal digits are expected")
            }
            return StaticTokens.Entry(digest: digest.bytes, caller: caller)
        default: throw ConfigurationError(path, "either token or sha256 is expected")
        }
    }

    private static func grants(
        _ reader: ConfigurationReader, _ user: String
    ) throws(ConfigurationError) -> [ZoneName: Role] {
        var grants: [ZoneName: Role] = [:]
        for (name, value) in reader.rest {
            guard let zone = ZoneName(name, caller: user) else {
                throw ConfigurationError(reader.path(of: name), "it is no name of a zone")
            }
            guard let role = value.string.flatMap(Role.init(rawValue:)) else {
                throw ConfigurationError(reader.path(of: name), "reader, writer or owner is expected")
            }
            grants[zone] = role
        }
        return grants
    }

    private static func tokens(_ text: String) throws(ConfigurationError) -> [StaticTokens.Entry] {
        var entries: [StaticTokens.Entry] = []
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, UserName.isAllowed(pair[0]) else {
                throw ConfigurationError(prefix + "TOKENS", "user=token is expected")
            }
            try check(pair[1], at: prefix + "TOKENS")
            entries.append(StaticTokens.Entry(token: pair[1], caller: Caller(user: pair[0])))
        }
        return entries
    }

    private static func check(_ token: String, at path: String) throws(ConfigurationError) {
        guard token.utf8.count >= 20 else {
            throw ConfigurationError(path, "a token has at least 20 characters, or it can be guessed")
        }
    }
}

extension ServiceLimits {
    init(_ reader: inout ConfigurationReader) throws(ConfigurationError) {
        zones = try reader.number("zones", least: 1) ?? zones
        devices = try reader.number("devices", least: 1) ?? devices
        zoneBytes = UInt64(try reader.number("zoneBytes") ?? Int(zoneBytes))
        changes = try reader.number("changes", least: 1) ?? changes
        page = try reader.number("page", least: 1) ?? page
        pageBytes = try reader.number("pageBytes", least: 1024) ?? pageBytes
        bodyBytes = try reader.number("bodyBytes", least: 1024) ?? bodyBytes
        blobBytes = UInt64(try reader.number("blobBytes") ?? Int(blobBytes))
        live = try reader.number("live") ?? live
        answers = try reader.number("answers", least: 1) ?? answers
        requestsPerSecond = Double(try reader.number("requestsPerSecond") ?? Int(requestsPerSecond))
        changesPerSecond = Double(try reader.number("changesPerSecond") ?? Int(changesPerSecond))
        bytesPerSecond = Double(try reader.number("bytesPerSecond") ?? Int(bytesPerSecond))
        failuresPerSecond = Double(try reader.number("failuresPerSecond") ?? Int(failuresPerSecond))
        try reader.finish()
    }
}
