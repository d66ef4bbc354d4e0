import Foundation

/// The limits of a process that reads files made to do harm.
enum ProcessLimits {
    /// The limits for one file, far above what any file takes, even in a debug build.
    private static let seconds = 60
    private static let memory = 6 << 30

    /// Sets the limits of this process for the next file. The system ends the process beyond them. Processor
    /// time counts, which does not pass while other processes use the machine.
    static func begin() {
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

extension TestProcess {
    /// Waits for the end of the process. Returns nil if all was well, else how it ended and the end of its
    /// output.
    func failure() async -> String? {
        if await ended() { return nil }
        let output = self.output
        // The report of a crash is long and begins with the reason.
        let reason = output.range(of: "Fatal error:") ?? output.range(of: "💣")
        let end = reason.map { output[$0.lowerBound...].prefix(4000) } ?? output.suffix(4000)
        return "\(ending)\n\(end)"
    }
}
