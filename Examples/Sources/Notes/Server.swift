import CoreData

/// A process of `coredata-syncd` with its data in a folder.
final class Server {
    static let token = "a-token-for-this-demonstration"
    /// Whose zone it is.
    private static let user = "anna"

    private let path: String
    private let folder: URL
    private(set) var program: Program
    private(set) var url: URL

    init(_ path: String, in folder: URL) throws {
        self.path = path
        self.folder = folder
        (program, url) = try Self.start(path, folder, port: 0)
    }

    func kill() { program.end() }

    /// Starts it again where it was.
    func restart() throws { (program, url) = try Self.start(path, folder, port: url.port ?? 0) }

    private static func start(_ path: String, _ folder: URL, port: Int) throws -> (Program, URL) {
        let log = folder.appendingPathComponent("server.log")
        try? FileManager.default.removeItem(at: log)
        // It ends with this process, however that ends. Apps end with their input.
        let program = try Program(
            "/usr/bin/env", ["setpriv", "--pdeathsig", "KILL", path, "serve"],
            environment: [
                "COREDATA_SYNCD_DATA": folder.appendingPathComponent("server").path,
                "COREDATA_SYNCD_LISTEN": "127.0.0.1:\(port)", "COREDATA_SYNCD_TOKENS": "\(user)=\(token)",
            ], log: log)
        // It logs where it listens.
        for _ in 0..<300 {
            let text = try String(contentsOf: log, encoding: .utf8)
            if let address = text.range(of: "http://127.0.0.1:"), text.hasSuffix("\n") {
                let port = text[address.upperBound...].prefix { $0.isNumber }
                if let url = URL(string: "http://127.0.0.1:\(port)") { return (program, url) }
            }
            Thread.sleep(forTimeInterval: 0.1)
        }
        program.end()
        throw DemonstrationError("the server does not start: see \(log.path)")
    }
}
