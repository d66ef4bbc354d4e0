#if Studio
import CoreDataJSON
import Foundation

/// A browser that is driven by the WebDriver protocol (W3C), with `chromedriver` between.
final class WebDriver: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Where Debian puts the two programs.
    private static let programs = ["/usr/bin/chromedriver", "/usr/bin/chromium"]

    private let process: StartedProcess
    private let port: Int
    /// The path of the session's commands.
    private let session: String

    /// Starts a browser without a window.
    init() async throws {
        process = try StartedProcess(URL(fileURLWithPath: Self.programs[0]), ["--port=0"])
        let line = try await process.line { $0.contains("started successfully on port") }
        guard let port = line.split(whereSeparator: { !$0.isNumber }).last.flatMap({ Int($0) }) else {
            throw Failure(description: "chromedriver says: \(line)")
        }
        self.port = port
        let answer = try await Self.send("POST", port, "/session", Self.capabilities)
        guard let identifier = answer["sessionId"]?.string else { throw Failure(description: answer.line) }
        session = "/session/\(identifier)"
    }

    private static let capabilities = json(
        """
        {"capabilities": {"alwaysMatch": {
          "goog:loggingPrefs": {"browser": "ALL"},
          "timeouts": {"script": 90000, "pageLoad": 90000},
          "goog:chromeOptions": {"args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
            "--window-size=1400,900", "--disable-background-networking", "--no-first-run", "--force-device-scale-factor=1"]}
        }}}
        """)

    /// Closes the browser.
    func quit() async {
        _ = try? await Self.send("DELETE", port, session, nil)
        process.end()
    }

    static func json(_ text: String) -> JSONValue { try! JSONParser.parse(text) }

    /// Carries out a command of the session.
    @discardableResult
    func call(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        try await Self.send(method, port, path.isEmpty ? session : "\(session)/\(path)", body)
    }

    private static func send(
        _ method: String, _ port: Int, _ path: String, _ body: JSONValue?
    ) async throws -> JSONValue {
        let text = method == "POST" ? (body ?? .object([])).line : nil
        let answer = try await LocalExchange(method, port: port, path: path, body: text)
        let value = try JSONParser.parse(answer.body)["value"] ?? .null
        guard answer.status == 200 else {
            throw Failure(
                description: "\(value["error"]?.string ?? "?"): \(value["message"]?.string ?? value.line)")
        }
        return value
    }
}
#endif
