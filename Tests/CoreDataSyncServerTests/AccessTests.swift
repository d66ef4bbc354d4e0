import CoreDataSyncServer
import Synchronization
import Testing

@Suite("Tokens and budgets")
struct AccessTests {
    private final class Clock: Sendable {
        private let value = Mutex<UInt64>(0)

        var now: UInt64 {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }
    }

    @Test("A token has its own user, and anything else has none")
    func tokens() {
        let tokens = StaticTokens([
            StaticTokens.Entry(token: "first-secret-of-anna", caller: Caller(user: "anna")),
            StaticTokens.Entry(token: "first-secret-of-ben-", caller: Caller(user: "ben")),
        ])
        #expect(tokens.caller(of: "first-secret-of-anna")?.user == "anna")
        #expect(tokens.caller(of: "first-secret-of-ben-")?.user == "ben")
        for wrong in ["", "first-secret-of-ann", "first-secret-of-anna ", "FIRST-SECRET-OF-ANNA"] {
            #expect(tokens.caller(of: wrong) == nil)
        }
    }

    /// Bytes that count how often one of them was read.
    private final class WatchedBytes: RandomAccessCollection {
        private let bytes: [UInt8]
        private(set) var reads = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var startIndex: Int { bytes.startIndex }
        var endIndex: Int { bytes.endIndex }
        subscript(index: Int) -> UInt8 {
            reads += 1
            return bytes[index]
        }
    }

    @Test("Each byte of a token's digest is compared, wherever one differs", arguments: [0, 15, 31, nil])
    func constantTime(place: Int?) {
        let digest = StaticTokens.digest(of: "first-secret-of-anna")
        var other = digest
        if let place { other[place] ^= 1 }
        let bytes = [WatchedBytes(digest), WatchedBytes(other)]
        #expect(StaticTokens.areEqual(bytes[0], bytes[1]) == (place == nil))
        #expect(bytes.map(\.reads) == [32, 32])
    }

    @Test("Versions are compared number by number")
    func versions() throws {
        func version(_ text: String) throws -> AppVersion { try #require(AppVersion(text)) }
        #expect(try version("2.9") < version("2.10") && version("2") == version("2.0.0"))
        #expect(try version("2.1-beta 3") == version("2.1") && version("2.0.9") < version("2.1"))
        #expect(try "\(version("3.0.1"))" == "3.0.1" && "\(version("0.0"))" == "0")
        for text in ["", "v2", "2.", ".2", "2..1", "-1", "99999999999999999999", "٢"] {
            #expect(AppVersion(text) == nil, "\(text)")
        }
    }

    @Test("A budget is spent at once, and fills with time")
    func bucket() {
        var bucket = TokenBucket(capacity: 10, rate: 2, at: 1000)
        #expect(bucket.take(10, at: 1000) == nil)
        #expect(bucket.take(1, at: 1000) == 0.5)
        #expect(bucket.take(1, at: 1500) == nil)
        #expect(bucket.take(3, at: 2000) == 1)
        #expect(bucket.take(10, at: 100_000) == nil)
        #expect(!bucket.isFull(at: 100_001) && bucket.isFull(at: 200_000))
    }

    @Test("What costs more than a full budget goes through once, and is paid for afterwards")
    func debt() {
        var bucket = TokenBucket(capacity: 10, rate: 1, at: 0)
        #expect(bucket.take(25, at: 0) == nil)
        #expect(bucket.take(1, at: 0) == 16)
        #expect(bucket.take(1, at: 16_000) == nil)
    }

    @Test("A clock that jumps back gives nothing and takes nothing")
    func clock() {
        var bucket = TokenBucket(capacity: 2, rate: 1, at: 10_000)
        #expect(bucket.take(2, at: 10_000) == nil)
        #expect(bucket.take(1, at: 1000) == 1)
        #expect(bucket.take(1, at: 11_000) == nil)
    }

    @Test("A budget that is used up is found so without being spent")
    func looking() throws {
        var limits = ServiceLimits()
        limits.failuresPerSecond = 1
        let limiter = RateLimiter(limits, now: { 1000 })
        try limiter.check(.failures, for: "::1")
        for _ in 0..<10 {
            try limiter.check(.failures, for: "::1")
            try limiter.take(1, of: .failures, for: "::1")
        }
        #expect(throws: ServiceError.tooOften(seconds: 1)) { try limiter.check(.failures, for: "::1") }
        try limiter.check(.failures, for: "::2")
    }

    @Test("Each user has a budget of each kind")
    func limiter() throws {
        var limits = ServiceLimits()
        (limits.requestsPerSecond, limits.changesPerSecond, limits.bytesPerSecond) = (1, 100, 0)
        let clock = Clock()
        let limiter = RateLimiter(limits, now: { clock.now })
        for _ in 0..<10 { try limiter.take(1, of: .requests, for: "anna") }
        #expect(throws: ServiceError.tooOften(seconds: 1)) { try limiter.take(1, of: .requests, for: "anna") }
        try limiter.take(1, of: .requests, for: "ben")
        try limiter.take(1000, of: .changes, for: "anna")
        #expect(throws: ServiceError.tooOften(seconds: 5)) {
            try limiter.take(500, of: .changes, for: "anna")
        }
        // No limit.
        for _ in 0..<100 { try limiter.take(1 << 40, of: .bytes, for: "anna") }
        clock.now = 5000
        try limiter.take(500, of: .changes, for: "anna")
    }
}
