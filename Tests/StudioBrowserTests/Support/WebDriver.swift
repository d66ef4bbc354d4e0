#if Studio
import CoreDataJSON
import Foundation
import FoundationNetworking

/// A browser that is driven by the WebDriver protocol (W3C), with `chromedriver` between.
final class WebDriver: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Where Debian puts the two programs.
    private static let programs = ["/usr/bin/chromedriver", "/usr/bin/chromium"]

    /// Whether this machine has a browser for tests.
    static var isInstalled: Bool { programs.allSatisfy(FileManager.default.isExecutableFile(atPath:)) }

    /// Whether stories are run: without a browser they are skipped, but fail in CI, which has one.
    static var isAvailable: Bool { isInstalled || ProcessInfo.processInfo.environment["CI"] != nil }

    private let process: StartedProcess
    private let session: URL

    /// Starts a browser without a window.
    init() async throws {
        process = try StartedProcess(URL(fileURLWithPath: Self.programs[0]), ["--port=0"])
        let line = try await process.line { $0.contains("started successfully on port") }
        let port = line.split(whereSeparator: { !$0.isNumber }).last.map(String.init) ?? ""
        guard let server = URL(string: "http://127.0.0.1:\(port)/session") else {
            throw Failure(description: "chromedriver says: \(line)")
        }
        let answer = try await Self.send("POST", server, Self.capabilities)
        guard let identifier = answer["sessionId"]?.string else { throw Failure(description: answer.line) }
        session = server.appendingPathComponent(identifier)
    }

    private static let capabilities = json(
        """
        {"capabilities": {"alwaysMatch": {
          "goog:loggingPrefs": {"browser": "ALL"},
          "timeouts": {"script": 30000, "pageLoad": 30000},
          "goog:chromeOptions": {"args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
            "--window-size=1400,900", "--disable-background-networking", "--no-first-run", "--force-device-scale-factor=1"]}
        }}}
        """)

    /// Closes the browser.
    func quit() async {
        _ = try? await Self.send("DELETE", session, nil)
        process.end()
    }

    static func json(_ text: String) -> JSONValue { try! JSONParser.parse(text) }

    /// Carries out a command of the session.
    @discardableResult
    func call(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        try await Self.send(method, session.appendingPathComponent(path), body)
    }

    private static func send(_ method: String, _ url: URL, _ body: JSONValue?) async throws -> JSONValue {
        var request = URLRequest(url: url, timeoutInterval: 60)
        request.httpMethod = method
        if method == "POST" {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data((body ?? .object([])).line.utf8)
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        let value = try JSONParser.parse(Array(data))["value"] ?? .null
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw Failure(
                description: "\(value["error"]?.string ?? "?"): \(value["message"]?.string ?? value.line)")
        }
        return value
    }
}
#endif
