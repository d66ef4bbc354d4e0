import CoreData
import CoreDataStudio
import Foundation
import Testing

@Suite("The time line of a profile")
struct ProfileTimelineTests {
    @Test("events lie below those in whose time their thread ran them, the main thread's lane is first")
    func levels() throws {
        let timeline = ProfileTimeline(
            try [
                event(.fetch, 0, 100, thread: 7, isMain: false), event(.fetch, 0, 100),
                event(.statement, 10, 40), event(.statement, 50, 40), event(.fault, 100, 20),
                event(.statement, 105, 10),
            ])
        #expect(timeline.lanes.map(\.thread.isMain) == [true, false])
        #expect(timeline.lanes[0].events == [1, 2, 3, 4, 5])
        #expect(timeline.lanes[0].depths == [0, 1, 1, 0, 1])
        #expect(timeline.lanes.map(\.depth) == [2, 1])
        #expect(timeline.end == 120)
    }

    @Test("events that one point cannot show apart are one mark, which names the longest")
    func merging() throws {
        let faults = try (0..<50).map { try event(.fault, Int64($0) * 2, 1) }
        let timeline = ProfileTimeline(try faults + [event(.save, 100, 3), event(.fetch, 1000, 9000)])
        let marks = timeline.marks(of: timeline.lanes[0], in: 0..<10_000, width: 10)
        #expect(marks.map(\.count) == [51, 1])
        #expect(marks.map(\.kind) == [.save, .fetch])
        #expect(marks.map(\.span) == [0..<103, 1000..<10_000])
        #expect(marks.map(\.event) == [50, 51])
        let closer = timeline.marks(of: timeline.lanes[0], in: 0..<104, width: 104)
        #expect(closer.count == 51)
    }

    @Test(
        "every event is in one mark of the whole, and no point has more than two marks a level",
        arguments: [1, 2, 7, 60, 299])
    func widths(width: Int) throws {
        // Steps and durations that share no divisor, so that events begin anywhere in a point.
        let events = try (0..<500).map { number -> ProfileLine.Event in
            let kind = ProfileEvent.Kind.allCases[number % ProfileEvent.Kind.allCases.count]
            return try event(
                kind, Int64(number * 53 + number % 7), Int64(number * 31 % 401),
                thread: UInt64(1 + number % 3))
        }
        let timeline = ProfileTimeline(events)
        let marks = timeline.lanes.map { timeline.marks(of: $0, in: 0..<timeline.end, width: width) }
        #expect(marks.joined().map(\.count).reduce(0, +) == 500)
        for (lane, marks) in zip(timeline.lanes, marks) {
            #expect(marks.count <= 2 * (width + 1) * lane.depth)
        }
    }

    private func event(
        _ kind: ProfileEvent.Kind, _ start: Int64, _ duration: Int64, thread: UInt64 = 1, isMain: Bool = true
    ) throws -> ProfileLine.Event {
        let text = """
            {"kind": "\(kind.rawValue)", "start": \(start), "duration": \(duration),
             "thread": {"number": \(thread), "isMain": \(isMain && thread == 1)}}
            """
        return try JSONDecoder().decode(ProfileLine.Event.self, from: Data(text.utf8))
    }
}
