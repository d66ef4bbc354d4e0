import CoreDataSyncCore
import Testing

@Suite("Hybrid logical clock")
struct ClockTests {
    @Test("A clock's times rise whatever the wall clock and other replicas do", arguments: 0..<UInt64(200))
    func rises(seed: UInt64) {
        var random = SeededGenerator(seed)
        var clock = HybridClock()
        var last = HybridTime.zero
        for _ in 0..<100 {
            if random.chance(30) {
                let received = HybridTime(
                    milliseconds: UInt64(random.below(5000)), counter: UInt16(random.below(65536)))
                clock.receive(received)
                last = max(last, received)
            }
            let wall = UInt64(random.below(5000))
            let time = clock.tick(milliseconds: wall)
            #expect(time > last)
            #expect(time.milliseconds >= wall)
            last = time
        }
    }

    @Test("A counter that is full runs over into the milliseconds")
    func fullCounter() {
        var clock = HybridClock(last: HybridTime(milliseconds: 5, counter: .max))
        #expect(clock.tick(milliseconds: 5) == HybridTime(milliseconds: 6))
    }

    @Test("Stamps of one time are ordered by replica")
    func replicas() {
        let first = Stamp(time: .zero, replica: SyncID(high: 0, low: 1))
        let second = Stamp(time: .zero, replica: SyncID(high: 0, low: 2))
        #expect(first < second)
        #expect(Stamp(time: .zero.next, replica: first.replica) > second)
    }
}
