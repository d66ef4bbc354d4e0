#if SyncServer
import CoreDataSyncServer
import Foundation
import JWTKit

/// Tokens that somebody else signs (JWT), checked by public keys. Keys of secret signatures are not taken:
/// who can check such a token can make one.
struct SignedTokens: Sendable {
    private let keys: JWTKeyCollection
    private let audience: String
    private let issuer: String?
    private let now: @Sendable () -> UInt64

    /// Reads the keys.
    ///
    /// - Throws: `KeyError`, which names the file.
    init(_ configuration: ServerSettings.JWT, now: @escaping @Sendable () -> UInt64) async throws {
        let keys = JWTKeyCollection()
        for path in configuration.keys { try await Self.add(pem: path, to: keys) }
        if let path = configuration.keySet { try await Self.add(set: path, to: keys) }
        self.keys = keys
        audience = configuration.audience
        issuer = configuration.issuer
        self.now = now
    }

    /// Why a file of keys is not taken.
    struct KeyError: Error, CustomStringConvertible {
        let description: String
    }

    private static func read(_ path: String) throws -> String {
        do {
            return try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw KeyError(description: "\(path) cannot be read")
        }
    }

    /// Adds a key under the name of its file, by which a token may name it (`kid`).
    private static func add(pem path: String, to keys: JWTKeyCollection) async throws {
        let text = try read(path)
        guard !text.contains("PRIVATE KEY") else {
            throw KeyError(description: "\(path) has a private key; the server needs the public one")
        }
        let name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
        let kid = JWKIdentifier(string: name)
        if let key = try? ES256PublicKey(pem: text) {
            await keys.add(ecdsa: key, kid: kid)
        } else if let key = try? ES384PublicKey(pem: text) {
            await keys.add(ecdsa: key, kid: kid)
        } else if let key = try? EdDSA.PublicKey(pem: text) {
            await keys.add(eddsa: key, kid: kid)
        } else if let key = try? Insecure.RSA.PublicKey(pem: text) {
            await keys.add(rsa: key, digestAlgorithm: .sha256, kid: kid)
        } else {
            throw KeyError(description: "\(path) has no public key of RSA, P-256, P-384 or Ed25519")
        }
    }

    private static func add(set path: String, to keys: JWTKeyCollection) async throws {
        let text = try read(path)
        do {
            // Secret keys (oct) are none that the library reads from a set.
            try await keys.add(jwksJSON: text)
        } catch {
            throw KeyError(description: "\(path) is no set of public keys that are known")
        }
    }

    /// Returns the caller; nil for a token that is not signed by one of the keys, too old, too new or for
    /// others.
    func caller(of token: String) async -> Caller? {
        guard let claims = try? await keys.verify(token, as: Claims.self, iteratingKeys: true) else {
            return nil
        }
        let seconds = Double(now()) / 1000
        guard claims.aud.names.contains(audience), issuer == nil || claims.iss == issuer,
            claims.exp > seconds, claims.exp < 1e11, claims.nbf ?? 0 <= seconds + Self.leeway,
            UserName.isAllowed(claims.sub)
        else { return nil }
        var caller = Caller(user: claims.sub, end: UInt64(claims.exp * 1000))
        if let zones = claims.zones {
            guard let grants = zones.grants(for: claims.sub) else { return nil }
            caller.grants = grants
        }
        return caller
    }

    /// By how many seconds clocks may differ.
    private static let leeway = 30.0
}

/// What a token says. Types of the standard library, since those of the token library trap on some contents.
struct Claims: JWTPayload {
    var sub: String
    var aud: Audience
    var iss: String?
    var exp: Double
    var nbf: Double?
    var zones: Zones?

    /// The signature is checked before; the rest is checked by `SignedTokens`, which has a clock of its own.
    func verify(using algorithm: some JWTAlgorithm) {}

    /// One name, or several.
    struct Audience: Codable {
        var names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let name = try? container.decode(String.self) {
                names = [name]
            } else {
                names = try container.decode([String].self)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(names)
        }
    }

    /// Zones in which the bearer writes, or zones with roles.
    struct Zones: Codable {
        var roles: [String: String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let names = try? container.decode([String].self) {
                roles = Dictionary(names.map { ($0, Role.writer.rawValue) }, uniquingKeysWith: { $1 })
            } else {
                roles = try container.decode([String: String].self)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(roles)
        }

        /// Returns the zones; nil if one of them is none, so that a mistake opens nothing.
        func grants(for user: String) -> [ZoneName: Role]? {
            var grants: [ZoneName: Role] = [:]
            for (text, name) in roles {
                guard let zone = ZoneName(text, caller: user), let role = Role(rawValue: name) else {
                    return nil
                }
                grants[zone] = role
            }
            return grants
        }
    }
}
#endif
