#if SyncServer
import Foundation

/// The file descriptors of this process, of which each connection takes one.
package enum Descriptors {
    /// Those that files and the database need while all other ones are taken by connections.
    private static let reserve = 256

    /// How many connections there may be. More wait until one ends, so that no file fails to open because of them.
    static var forConnections: Int {
        let limit = Int(clamping: current.rlim_cur)
        return max(limit - reserve, limit / 2)
    }

    /// Raises the limit as far as the system lets this process. Shells begin with 1024 on many systems.
    package static func raiseLimit() {
        var limit = current
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
    }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    private static var current: rlimit {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return rlimit(rlim_cur: 1024, rlim_max: 1024) }
        return limit
    }
}
#endif
