import Foundation

/// This test binary, started once more to run one test in a process of its own.
struct TestProcess {
    private let process = Process()
    private let log: URL

    /// - Parameters:
    ///   - test: The name of a test function, which is enabled by an environment variable.
    ///   - folder: Where the process leaves what it says.
    ///   - arguments: Further ones, that the framework reads.
    init(
        _ test: String, in folder: ScratchFolder, environment: [String: String], arguments: [String] = []
    ) throws {
        log = folder.file("\(test)-\(UUID().uuidString).log")
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--testing-library", "swift-testing", "--filter", test] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    /// What the process has said so far.
    var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "it left no log" }

    /// Ends it at once; whether it was still at work.
    func killed() -> Bool {
        let isAtWork = process.isRunning
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return isAtWork
    }

    /// Waits for the end; whether all was well.
    func ended() -> Bool {
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
