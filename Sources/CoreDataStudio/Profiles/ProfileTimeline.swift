package import CoreData
package import CoreDataJSON

/// The events of a profile by thread, each below the events in whose time it ran.
package struct ProfileTimeline: Sendable {
    /// The events of one thread.
    package struct Lane: Sendable {
        package let thread: ThreadMark
        /// The places of the events in the profile, in the order of their beginnings.
        package fileprivate(set) var events: [Int] = []
        /// For each event, the number of events around it.
        package fileprivate(set) var depths: [Int] = []
        /// The number of levels.
        package fileprivate(set) var depth = 0
        /// The ends of the events that the last one lies in, while the lane is filled.
        fileprivate var open: [Int64] = []

        fileprivate mutating func append(_ index: Int, _ event: ProfileLine.Event) {
            while let end = open.last, end <= event.start { open.removeLast() }
            events.append(index)
            depths.append(open.count)
            open.append(event.start + event.duration)
            depth = max(depth, open.count)
        }
    }

    /// A box of the time line: an event, or several that are too short to be told apart.
    package struct Mark: Sendable, Hashable {
        package let depth: Int
        /// The kind of the longest one.
        package fileprivate(set) var kind: ProfileEvent.Kind
        package fileprivate(set) var span: Range<Int64>
        package fileprivate(set) var count = 1
        /// The place of the longest event in the profile.
        package fileprivate(set) var event: Int
        fileprivate var longest: Int64
    }

    private let events: [ProfileLine.Event]
    /// The main thread first, then by the first event.
    package let lanes: [Lane]
    /// The time at which the last event ended, in nanoseconds; at least 1.
    package let end: Int64

    /// - Parameter events: In the order of their beginnings.
    package init(_ events: [ProfileLine.Event]) {
        self.events = events
        end = max(1, events.map { $0.start + $0.duration }.max() ?? 1)
        var lanes: [Lane] = []
        var numbers: [ThreadMark: Int] = [:]
        for (index, event) in events.enumerated() {
            let number = numbers[event.thread] ?? lanes.count
            if number == lanes.count {
                lanes.append(Lane(thread: event.thread))
                numbers[event.thread] = number
            }
            lanes[number].append(index, event)
        }
        self.lanes = lanes.filter(\.thread.isMain) + lanes.filter { !$0.thread.isMain }
    }

    /// Returns what a lane shows of a span of time in so many points: at most two marks a point and level.
    package func marks(of lane: Lane, in span: Range<Int64>, width: Int) -> [Mark] {
        let point = max(1, (span.upperBound - span.lowerBound) / Int64(width))
        var last: [Int: Mark] = [:]
        var marks: [Mark] = []
        for (index, depth) in zip(lane.events, lane.depths) {
            let event = events[index]
            let eventEnd = event.start + event.duration
            guard event.start < span.upperBound else { break }
            guard eventEnd >= span.lowerBound else { continue }
            if var mark = last[depth], event.duration < point, mark.longest < point,
                event.start / point == mark.span.lowerBound / point
            {
                mark.count += 1
                mark.span = mark.span.lowerBound..<max(mark.span.upperBound, eventEnd)
                if event.duration > mark.longest {
                    (mark.kind, mark.event, mark.longest) = (event.kind, index, event.duration)
                }
                last[depth] = mark
                continue
            }
            if let done = last[depth] { marks.append(done) }
            last[depth] = Mark(
                depth: depth, kind: event.kind, span: event.start..<max(event.start, eventEnd), event: index,
                longest: event.duration)
        }
        marks += last.values
        return marks.sorted { ($0.span.lowerBound, $0.depth) < ($1.span.lowerBound, $1.depth) }
    }

    /// Returns the marks of all lanes: arrays of level, kind, start, end, number of events, place of the longest one,
    /// and what it is about.
    package func json(in span: Range<Int64>, width: Int) -> JSONValue {
        let lanes = lanes.map { lane in
            JSONValue.array(
                marks(of: lane, in: span, width: width).map { mark in
                    .array([
                        .integer(Int64(mark.depth)), .string(mark.kind.rawValue),
                        .integer(mark.span.lowerBound), .integer(mark.span.upperBound),
                        .integer(Int64(mark.count)), .integer(Int64(mark.event)),
                        .string(subject(of: events[mark.event])),
                    ])
                })
        }
        return .object([.init("lanes", .array(lanes))])
    }

    /// Returns the subject of an event: `Book`, `Book.author`, or the beginning of a statement.
    private func subject(of event: ProfileLine.Event) -> String {
        switch (event.kind, event.entity, event.detail) {
        case (.relationship, let entity?, let name?): "\(entity).\(name)"
        case (.statement, _, let text?): String(text.prefix(80))
        case (_, let entity?, _): entity
        case (_, nil, let detail): detail.map { String($0.prefix(80)) } ?? ""
        }
    }
}
