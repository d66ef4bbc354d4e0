#if SyncServer
import CoreDataSyncCore
import CoreDataSyncServer
import CryptoExtras
import Foundation
import JWTKit
import Testing

@testable import CoreDataSyncHTTP

@Suite("Signed tokens")
struct SignedTokenTests {
    private static let now: UInt64 = 1_800_000_000_000

    private struct Payload: JWTPayload {
        var sub: String? = "anna"
        var aud: [String]? = ["app"]
        var iss: String? = "me"
        var exp: Double? = 1_800_000_100
        var nbf: Double?
        var zones: [String: String]?
        func verify(using algorithm: some JWTAlgorithm) {}
    }

    /// A folder with files of keys, which goes with the test.
    private final class Keys {
        let path = "\(FileManager.default.temporaryDirectory.path)/keys-\(UUID().uuidString)"

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ text: String, _ name: String) throws -> String {
            try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
            return "\(path)/\(name)"
        }
    }

    private static func verifier(
        keys: [String], set: String? = nil, issuer: String? = "me"
    ) async throws -> SignedTokens {
        var configuration = ServerSettings.JWT(audience: "app")
        configuration.keys = keys
        configuration.keySet = set
        configuration.issuer = issuer
        return try await SignedTokens(configuration, now: { now })
    }

    private static func sign(
        _ payload: Payload, _ key: ES256PrivateKey, kid: String? = nil
    ) async throws -> String {
        let keys = await JWTKeyCollection().add(ecdsa: key)
        var header = JWTHeader()
        if let kid { header.kid = kid }
        return try await keys.sign(payload, header: header)
    }

    @Test("A token of the right key, for the right audience and in time names its user")
    func valid() async throws {
        let (keys, key) = (try Keys(), ES256PrivateKey())
        let verifier = try await Self.verifier(keys: [
            try keys.write(key.publicKey.pemRepresentation, "a.pem")
        ])
        let caller = await verifier.caller(of: try await Self.sign(Payload(), key))
        #expect(caller == Caller(user: "anna", grants: nil, end: 1_800_000_100_000))
        var narrow = Payload()
        narrow.zones = ["Library": "reader", "ben:Home": "writer"]
        let grants = await verifier.caller(of: try await Self.sign(narrow, key))?.grants
        #expect(
            grants == [
                ZoneName(owner: "anna", name: "Library")!: .reader,
                ZoneName(owner: "ben", name: "Home")!: .writer,
            ])
    }

    @Test("Whatever is wrong with a token, it opens nothing")
    func invalid() async throws {
        let (keys, key) = (try Keys(), ES256PrivateKey())
        let verifier = try await Self.verifier(keys: [
            try keys.write(key.publicKey.pemRepresentation, "a.pem")
        ])
        let mistakes: [(String, (inout Payload) -> Void)] = [
            ("too old", { $0.exp = 1_799_999_999 }), ("without end", { $0.exp = nil }),
            ("an end that no clock has", { $0.exp = 1e300 }), ("too new", { $0.nbf = 1_800_000_050 }),
            ("for others", { $0.aud = ["other"] }), ("for nobody", { $0.aud = [] }),
            ("without audience", { $0.aud = nil }), ("by others", { $0.iss = "you" }),
            ("by nobody", { $0.iss = nil }), ("without user", { $0.sub = nil }),
            ("an empty user", { $0.sub = "" }),
            ("a user of two lines", { $0.sub = "a\nb" }),
            ("a zone that is none", { $0.zones = ["a/b": "reader"] }),
            ("a role that is none", { $0.zones = ["a": "king"] }),
        ]
        for (name, change) in mistakes {
            var payload = Payload()
            change(&payload)
            #expect(await verifier.caller(of: try await Self.sign(payload, key)) == nil, "\(name)")
        }
        #expect(await verifier.caller(of: try await Self.sign(Payload(), ES256PrivateKey())) == nil)
        let token = try await Self.sign(Payload(), key)
        let parts = token.split(separator: ".").map(String.init)
        let none = Data(#"{"alg":"none","typ":"JWT"}"#.utf8).base64EncodedString().filter { $0 != "=" }
        for bad in [
            "", ".", "..", "a.b.c", parts[0] + "." + parts[1] + ".", "\(none).\(parts[1]).",
            token + "x", token.dropLast(4) + "AAAA", String(repeating: "a.", count: 4000),
        ] {
            #expect(await verifier.caller(of: String(bad)) == nil, "\(bad.prefix(40))")
        }
    }

    @Test("A secret signature with the public key as its secret opens nothing")
    func confusion() async throws {
        let (keys, key) = (try Keys(), ES256PrivateKey())
        let pem = key.publicKey.pemRepresentation
        let verifier = try await Self.verifier(keys: [try keys.write(pem, "a.pem")])
        let forger = await JWTKeyCollection().add(hmac: HMACKey(stringLiteral: pem), digestAlgorithm: .sha256)
        #expect(await verifier.caller(of: try await forger.sign(Payload())) == nil)
    }

    @Test("Keys of every kind are read, and each checks its own tokens")
    func kinds() async throws {
        let keys = try Keys()
        let (curve, edwards) = (ES256PrivateKey(), try EdDSA.PrivateKey())
        let rsa = try Insecure.RSA.PrivateKey(backing: _RSA.Signing.PrivateKey(keySize: .bits2048))
        let paths = [
            try keys.write(curve.publicKey.pemRepresentation, "curve.pem"),
            try keys.write(rsa.publicKey.pemRepresentation, "rsa.pem"),
        ]
        let verifier = try await Self.verifier(keys: paths)
        let signers = [
            await JWTKeyCollection().add(ecdsa: curve),
            await JWTKeyCollection().add(rsa: rsa, digestAlgorithm: .sha256),
        ]
        for signer in signers {
            #expect(await verifier.caller(of: try await signer.sign(Payload()))?.user == "anna")
        }
        let stranger = await JWTKeyCollection().add(eddsa: edwards)
        #expect(await verifier.caller(of: try await stranger.sign(Payload())) == nil)
    }

    @Test("A set of keys is read, and a token names its key")
    func keySet() async throws {
        let (keys, first, second) = (try Keys(), ES256PrivateKey(), ES256PrivateKey())
        func jwk(_ key: ES256PrivateKey, _ kid: String) throws -> String {
            let parameters = try #require(key.publicKey.parameters)
            return """
                {"kty": "EC", "crv": "P-256", "alg": "ES256", "kid": "\(kid)",
                 "x": "\(parameters.x)", "y": "\(parameters.y)"}
                """
        }
        let set = try keys.write(
            "{\"keys\": [\(try jwk(first, "one")), \(try jwk(second, "two"))]}", "set.json")
        let verifier = try await Self.verifier(keys: [], set: set)
        #expect(await verifier.caller(of: try await Self.sign(Payload(), first, kid: "one"))?.user == "anna")
        #expect(await verifier.caller(of: try await Self.sign(Payload(), second, kid: "two"))?.user == "anna")
        #expect(
            await verifier.caller(of: try await Self.sign(Payload(), ES256PrivateKey(), kid: "one")) == nil)
    }

    @Test("Files that are no public keys are named when the server starts")
    func badFiles() async throws {
        let keys = try Keys()
        let files = [
            try keys.write(ES256PrivateKey().pemRepresentation, "private.pem"),
            try keys.write("hello", "text.pem"), "\(keys.path)/missing.pem",
        ]
        for file in files {
            let error = try await #require(throws: SignedTokens.KeyError.self) {
                try await Self.verifier(keys: [file])
            }
            #expect(error.description.contains(file))
        }
        for text in [
            "{}", "{\"keys\": [{\"kty\": \"oct\", \"kid\": \"a\", \"k\": \"AAAA\", \"alg\": \"HS256\"}]}",
        ] {
            let file = try keys.write(text, "set.json")
            await #expect(throws: SignedTokens.KeyError.self) {
                try await Self.verifier(keys: [], set: file)
            }
        }
    }
}
#endif
