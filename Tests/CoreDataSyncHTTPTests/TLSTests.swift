#if SyncServer
import CoreDataSyncServer
import Foundation
import Testing

private let hasTools = ["curl", "openssl"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
}

/// By `curl` and `openssl`. Where one of them is missing, the log says so.
@Suite("TLS", .enabled(if: hasTools, "curl or openssl is missing"))
struct TLSTests {
    /// Runs a tool on a thread of its own: the server that it talks to needs those of the tests.
    private static func run(
        _ tool: String, _ arguments: [String]
    ) async throws -> (text: String, status: Int32) {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let process = Process()
                        process.executableURL = URL(fileURLWithPath: "/usr/bin/\(tool)")
                        process.arguments = arguments
                        let pipe = Pipe()
                        process.standardOutput = pipe
                        process.standardError = FileHandle.nullDevice
                        try process.run()
                        let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
                        process.waitUntilExit()
                        return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
                    })
            }
        }
    }

    /// Makes a certificate for this machine in a folder.
    private static func makeCertificate(_ folder: String) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let made = try await run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout", "\(folder)/key.pem", "-out", "\(folder)/cert.pem", "-days", "2", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            ])
        #expect(made.status == 0)
    }

    @Test(
        "A certificate of the operator's is shown, and HTTP/2 is spoken where it is asked for",
        arguments: [(false, "1.1"), (true, "2")])
    func versions(http2: Bool, version: String) async throws {
        let folder = "\(FileManager.default.temporaryDirectory.path)/tls-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await Self.makeCertificate(folder)
        let settings = """
            "tls": {"certificate": "\(folder)/cert.pem", "key": "\(folder)/key.pem"}, "http2": \(http2)
            """
        try await LiveServer.run(settings) { server in
            let common = ["--silent", "--cacert", "\(folder)/cert.pem", "--resolve"]
            let port = server.url.port ?? 0
            let arguments =
                common + ["localhost:\(port):127.0.0.1", "--write-out", "%{http_version}"]
            let reply = try await Self.run("curl", arguments + ["\(server.url)/healthz"])
            #expect(reply.text == "ok\n\(version)" && reply.status == 0)
            // Without the certificate the server is a stranger, and without TLS it says nothing.
            let stranger = try await Self.run(
                "curl", ["--silent", "--resolve", "localhost:\(port):127.0.0.1", "\(server.url)/healthz"])
            #expect(stranger.status == 60)
            let plain = try await Self.run("curl", ["--silent", "http://127.0.0.1:\(port)/healthz"])
            #expect(plain.status != 0)
        }
    }
}
#endif
