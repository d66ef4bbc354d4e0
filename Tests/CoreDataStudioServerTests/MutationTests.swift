#if Studio
import CoreDataStudioServer
import Foundation
import Testing

/// Requests that are changed at random. `CORE_DATA_TEST_SEED=17 CORE_DATA_TEST_CASES=1` sends one of them
/// again.
@Suite("Requests changed at random", .serialized)
struct MutationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let first = environment["CORE_DATA_TEST_SEED"].flatMap { UInt64($0) } ?? 1
    private static let count = environment["CORE_DATA_TEST_CASES"].flatMap { UInt64($0) } ?? 400

    /// A small generator whose numbers follow from its seed.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var value = state
            value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
            value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
            return value ^ (value >> 31)
        }
    }

    /// What the changes are made of, besides single bytes.
    private static let pieces = [
        "\r\n", "\n", "\r", "\r\n\r\n", "\0", " ", "\t", ":", "Host: evil.example\r\n",
        "Host: localhost:{port}\r\n",
        "Origin: http://evil.example\r\n", "Sec-Fetch-Site: cross-site\r\n", "Content-Length: 5\r\n",
        "Transfer-Encoding: chunked\r\n", "Authorization: Bearer {token}\r\n", "Authorization: Bearer 0\r\n",
        "%00",
        "..", "//", "http://evil.example", "GET ", "POST ", "HTTP/1.0", "\u{ff}", "é",
    ]

    private static let bases = [
        "GET /api/documents HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer {token}\r\n\r\n",
        "GET /api/documents HTTP/1.1\r\nHost: localhost:{port}\r\nAuthorization: Bearer 1{token}\r\n\r\n",
        "GET /api/documents HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: http://evil.example\r\n"
            + "Authorization: Bearer {token}\r\n\r\n",
        "POST /api/models HTTP/1.1\r\nHost: localhost:{port}\r\nAuthorization: Bearer {token}\r\n"
            + "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}",
    ]

    @Test("whatever bytes come, the server goes on, and the gate lets nothing through that it forbids")
    func mutations() async throws {
        // Wrong secrets are not counted: time passes between the requests.
        // The server itself ends each connection, after all that came was carried out.
        var limits = ServerLimits()
        limits.headTime = .milliseconds(20)
        limits.bodyTime = .milliseconds(20)
        limits.idleTime = .milliseconds(20)
        try await ServedStudio.run(limits: limits) { studio in
            for seed in Self.first..<Self.first + Self.count {
                studio.pass(.seconds(61))
                let bytes = Self.mutated(seed, studio)
                let before = studio.requests.count
                let client = try RawClient(port: studio.server.port)
                client.send(bytes)
                let answer = await client.readToEnd()
                if studio.requests.count > before || answer.status == 200 && answer.text.contains("done") {
                    #expect(
                        Self.isAllowed(bytes, studio),
                        "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
                }
            }
            let honest =
                "GET /api/x HTTP/1.1\r\nHost: localhost:{port}\r\nAuthorization: Bearer {token}\r\n\r\n"
            #expect(try await ServedStudio.answered { try await studio.answer(to: honest) }.status == 200)
        }
    }

    private static func mutated(_ seed: UInt64, _ studio: ServedStudio) -> [UInt8] {
        var generator = Generator(state: seed)
        var bytes = Array(studio.filled(bases[Int(seed) % bases.count]).utf8)
        for _ in 0...Int.random(in: 0..<4, using: &generator) {
            let place = Int.random(in: 0...bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                bytes.insert(
                    contentsOf: studio.filled(pieces.randomElement(using: &generator)!).utf8, at: place)
            case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 2:
                bytes.removeSubrange(
                    place..<min(bytes.count, place + Int.random(in: 1..<30, using: &generator)))
            default:
                // A line moves to another place.
                let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
                bytes.insert(contentsOf: (lines.randomElement(using: &generator)! + "\r\n").utf8, at: place)
            }
        }
        return bytes
    }

    /// Reads a request in the plainest way, and tells whether its lines allow what the gate let through: one
    /// Host that is the server's, the token, no origin but its own.
    private static func isAllowed(_ bytes: [UInt8], _ studio: ServedStudio) -> Bool {
        let port = studio.server.port
        let head = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n\r\n")[0]
        let fields = head.components(separatedBy: "\r\n").dropFirst().map { line in
            let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (pair[0].lowercased(), pair.count > 1 ? pair[1].trimmingCharacters(in: .whitespaces) : "")
        }
        func values(_ name: String) -> [String] { fields.filter { $0.0 == name }.map(\.1) }
        let names = ["localhost:\(port)", "127.0.0.1:\(port)", "[::1]:\(port)"]
        return values("host").count == 1 && names.contains(values("host")[0])
            && values("authorization") == ["Bearer \(studio.token)"]
            && values("origin").allSatisfy { names.map { "http://" + $0 }.contains($0) }
            && values("sec-fetch-site").allSatisfy { ["same-origin", "none"].contains($0) }
            && values("transfer-encoding").isEmpty
            && (!head.hasPrefix("POST") || values("content-type") == ["application/json"])
    }
}
#endif
