import Foundation

/// A program of the tests in a process of its own: this test binary, started again to run one test, or
/// another binary beside it.
struct TestProcess {
    private let process = Process()
    private let log: URL
    private let end: AsyncStream<Void>

    private static let binary = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()

    /// - Parameters:
    ///   - test: The name of a test function, which is enabled by an environment variable.
    ///   - folder: Where the process leaves what it says.
    ///   - arguments: Further ones, that the framework reads.
    init(
        _ test: String, in folder: ScratchFolder, environment: [String: String], arguments: [String] = []
    ) throws {
        try self.init(
            Self.binary, ["--testing-library", "swift-testing", "--filter", test] + arguments,
            environment: environment, log: folder.file("\(test)-\(UUID().uuidString).log"), keepsErrors: true)
    }

    /// - Parameters:
    ///   - program: The name of a program. What it says on standard error is not kept.
    ///   - folder: Where the process leaves what it says.
    init(program: String, in folder: ScratchFolder, arguments: [String]) throws {
        try self.init(
            Self.binary.deletingLastPathComponent().appendingPathComponent(program), arguments,
            environment: [:], log: folder.file("\(program)-\(UUID().uuidString).log"), keepsErrors: false)
    }

    private init(
        _ program: URL, _ arguments: [String], environment: [String: String], log: URL, keepsErrors: Bool
    ) throws {
        self.log = log
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = keepsErrors ? output : FileHandle.nullDevice
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        self.end = end
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
    }

    /// The output of the process so far.
    var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "it left no log" }

    /// Waits for the end, without blocking a thread of other tests, and returns whether the process
    /// succeeded.
    func ended() async -> Bool {
        for await _ in end {}
        return process.terminationReason == .exit && process.terminationStatus == 0
    }

    /// How the process ended, in words.
    var ending: String {
        let kind = process.terminationReason == .uncaughtSignal ? "signal" : "status"
        return "\(kind) \(process.terminationStatus)"
    }
}
