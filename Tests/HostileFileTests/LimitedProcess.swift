import Foundation

/// This test binary, started once more to run one test in a process of its own, which may come to harm.
struct LimitedProcess {
    private let process = Process()
    private let log: URL
    private let ended: AsyncStream<Void>

    /// - Parameters:
    ///   - test: the name of a test function, which is enabled by an environment variable.
    ///   - log: where the process leaves what it says.
    init(_ test: String, environment: [String: String], log: URL) throws {
        self.log = log
        try Data().write(to: log)
        let output = try FileHandle(forWritingTo: log)
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--testing-library", "swift-testing", "--filter", test]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = output
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        self.ended = ended
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
    }

    /// Waits for the end, without keeping a thread from other tests. Nil if all was well, else how it ended
    /// and what it said last.
    func end() async -> String? {
        for await _ in ended {}
        if process.terminationReason == .exit, process.terminationStatus == 0 { return nil }
        let how =
            process.terminationReason == .uncaughtSignal
            ? "signal \(process.terminationStatus)" : "status \(process.terminationStatus)"
        let output = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        // A crash is told at length, the reason first.
        let reason = output.range(of: "Fatal error:") ?? output.range(of: "💣")
        let end = reason.map { output[$0.lowerBound...].prefix(4000) } ?? output.suffix(4000)
        return "\(how)\n\(end)"
    }

    // MARK: Limits

    /// Bounds what this process may go on to take: beyond it, the system ends it. The processor's time
    /// counts, which does not pass while others use the machine.
    static func limit(seconds: Int, memory: Int) {
        var used = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &used)
        let soFar = Int(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1
        set(RLIMIT_CPU, to: soFar + seconds)
        set(RLIMIT_AS, to: memory)
    }

    private static func set(_ resource: __rlimit_resource, to value: Int) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        limit.rlim_cur = min(rlim_t(value), limit.rlim_max)
        setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    }
}
