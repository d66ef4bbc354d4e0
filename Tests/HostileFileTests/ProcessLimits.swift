import Foundation

/// What a process may take that reads what may do harm.
enum ProcessLimits {
    /// For one file: more than any takes by far, even where the code is not optimized.
    private static let seconds = 60
    private static let memory = 6 << 30

    /// Bounds what this process may go on to take for one file: beyond it, the system ends it. The
    /// processor's time counts, which does not pass while others use the machine.
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
    /// Waits for the end. Nil if all was well, else how it ended and what it said last.
    func failure() async -> String? {
        if await ended() { return nil }
        let output = self.output
        // A crash is told at length, the reason first.
        let reason = output.range(of: "Fatal error:") ?? output.range(of: "💣")
        let end = reason.map { output[$0.lowerBound...].prefix(4000) } ?? output.suffix(4000)
        return "\(ending)\n\(end)"
    }
}
