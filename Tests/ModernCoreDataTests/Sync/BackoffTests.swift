import ModernCoreData
import Testing

@Suite("Delays after failures")
struct BackoffTests {
    @Test("Each failure in a row doubles the delay, up to the limit")
    func growth() {
        let backoff = Backoff(first: .seconds(1), factor: 2, limit: .seconds(10))
        let delays = (0...6).map { backoff.delay(afterFailures: $0) }
        #expect(
            delays == [.zero, .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(10), .seconds(10)])
        #expect(backoff.delay(afterFailures: .max) == .seconds(10))
    }

    @Test("A factor of one keeps the delay constant")
    func constant() {
        let backoff = Backoff(first: .milliseconds(5), factor: 1, limit: .seconds(1))
        #expect(backoff.delay(afterFailures: 1000) == .milliseconds(5))
    }
}
