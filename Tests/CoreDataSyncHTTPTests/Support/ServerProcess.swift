#if SyncServer
import Foundation
import Synchronization

/// The program `coredata-syncd` in a process of its own.
final class ServerProcess: Sendable {
    private static let tool = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("coredata-syncd")

    private let process: Mutex<Process>
    let url: URL

    /// Starts a server on a folder, and waits until it says where it listens.
    ///
    /// - Parameter descriptors: The files and connections that the process may have; as many as this one by default.
    init(data: String, database: String? = nil, descriptors: Int? = nil) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let limit = descriptors.map { "ulimit -n \($0); " } ?? ""
        process.arguments = ["-c", limit + #"exec "$0" serve"#, Self.tool.path]
        process.environment = [
            "COREDATA_SYNCD_DATA": data, "COREDATA_SYNCD_LISTEN": "127.0.0.1:0",
            "COREDATA_SYNCD_TOKENS": "anna=\(LiveServer.annasToken)", "COREDATA_SYNCD_DATABASE": database,
        ].compactMapValues { $0 }
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = pipe
        try process.run()
        var text = ""
        while let data = try pipe.fileHandleForReading.read(upToCount: 1), !data.isEmpty {
            text += String(decoding: data, as: UTF8.self)
            if text.contains("127.0.0.1:"), text.last == "\n" { break }
        }
        guard let range = text.range(of: "127.0.0.1:"),
            let port = Int(text[range.upperBound...].prefix { $0.isNumber }), port > 0
        else {
            process.terminate()
            throw CocoaError(.executableLoad, userInfo: [NSLocalizedDescriptionKey: text])
        }
        url = URL(string: "http://127.0.0.1:\(port)")!
        // What it logs later is read, so that it never waits for a reader.
        pipe.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
        self.process = Mutex(process)
    }

    /// Ends the process by a signal and waits until it is gone. Returns its status.
    @discardableResult
    func end(_ signal: Int32) -> Int32 {
        process.withLock { process in
            guard process.isRunning else { return process.terminationStatus }
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    deinit { end(SIGKILL) }

    /// Runs a command to its end, and returns its output and its status.
    static func command(_ arguments: [String], data: String) throws -> (text: String, status: Int32) {
        let process = Process()
        process.executableURL = tool
        process.arguments = arguments
        process.environment = ["COREDATA_SYNCD_DATA": data]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
    }
}
#endif
