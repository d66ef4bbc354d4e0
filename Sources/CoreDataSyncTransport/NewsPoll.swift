import CoreDataSyncCore

/// How a device listens to a server: one request after the other, each of which the server holds until the zone has
/// news.
///
/// Where nothing holds a request, or none gets through, requests come ever more seldom.
struct NewsPoll {
    /// The seconds for which a request is held. Many proxies end one that says nothing for 30 seconds.
    static let hold = 25
    /// The pause doubles so often at most: to about a minute.
    private static let mostDoublings = 6

    /// Where the zone stood when the server answered last.
    private(set) var heads: ZoneHeads?
    private var hasConnection = false
    private var failures = 0
    /// The seconds for which the server does not want to be asked.
    private var rest = 0

    /// The seconds for which the next request is to be held.
    ///
    /// The first on a connection is answered at once: while `URLSession` on Linux waits for an answer on a connection
    /// that the same request has opened, it asks the system without end whether the socket takes bytes, and uses a
    /// whole processor.
    var wait: Int { hasConnection ? Self.hold : 0 }

    /// Notes an answer. Returns whether it is news.
    ///
    /// - Parameters:
    ///   - keepsConnection: Whether the next request can use the same connection.
    ///   - duration: The time until it came.
    mutating func note(_ answer: ZoneHeads, keepsConnection: Bool, after duration: Duration) -> Bool {
        let isNews = answer != heads
        let wasHeld = wait > 0 && (isNews || duration >= .seconds(Self.hold / 2))
        if wasHeld && keepsConnection {
            failures = 0
        } else if wait > 0 || !keepsConnection {
            failures += 1
        }
        (heads, hasConnection, rest) = (answer, keepsConnection, 0)
        return isNews
    }

    /// Notes that there was no answer.
    mutating func noteFailure(retryAfter seconds: Int?) {
        failures += 1
        hasConnection = false
        rest = max(0, min(seconds ?? 0, ServerPause.longest))
    }

    /// Returns the seconds until the next request.
    ///
    /// - Parameter share: A random number from 0.5 to 1, so that devices do not all come at once.
    func pause(_ share: Double) -> Double {
        let growing = failures == 0 ? 0.5 : Double(1 << min(failures, Self.mostDoublings))
        return Double(rest) + growing * share
    }
}
