import Testing

@testable import CoreDataPostgreSQL

@Suite("Positions in a cluster's log")
struct LogPositionTests {
    private func position(_ offset: Int64, timeline: Int64 = 1, system: Int64 = 7) -> LogPosition {
        LogPosition(system: system, timeline: timeline, offset: offset)
    }

    @Test("A server has what is not beyond its position, of its own cluster and of no later timeline")
    func covering() {
        #expect(position(5).covers(position(5)))
        #expect(!position(4).covers(position(5)))
        #expect(position(5, timeline: 2).covers(position(5)))
        #expect(!position(9).covers(position(5, timeline: 2)))
        #expect(!position(9, system: 8).covers(position(5)))
    }
}
