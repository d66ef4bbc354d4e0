import CoreData

/// A program that the demonstration has started, and may kill.
final class Program {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    /// The output of the program that was not read yet.
    private var rest: [UInt8] = []

    init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], log: URL
    ) throws {
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
        let errors = try FileHandle(forWritingTo: log)
        try errors.seekToEnd()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    /// Sends a line.
    func say(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    }

    /// Returns the next line of the output; nil at its end.
    func nextLine() -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeSubrange(...end) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            rest += more
        }
    }

    /// Kills the program, which has no say in it, and waits until it is gone.
    func end() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    deinit { end() }
}

/// Prints a line that is seen at once, also through a pipe.
func report(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
