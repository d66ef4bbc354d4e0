import CoreData
import CoreDataJSON
import CoreDataStudioInterface
import CoreDataTool
import Foundation

/// A recorded profile that the studio has open. It is read once: a recording that goes on is opened again.
final class ProfileSession: Sendable {
    let id: String
    let url: URL
    private let profile: RecordedProfile
    private let timeline: ProfileTimeline
    /// Looking up the names of calls takes seconds in a large program: the page shows the times meanwhile.
    private let judging: Task<(names: CallNames, review: ProfileReview), Never>

    init(_ id: String, at url: URL) throws {
        (self.id, self.url) = (id, url)
        let profile = try RecordedProfile(at: url)
        self.profile = profile
        timeline = ProfileTimeline(profile.events)
        judging = Task.detached {
            let names = CallNames(of: profile)
            return (names, ProfileReview(profile, names, scans: StatementScans().tables))
        }
    }

    deinit { judging.cancel() }

    var summary: JSONValue {
        .object([
            .init("id", .string(id)), .init("name", .string(url.lastPathComponent)),
            .init("path", .string(url.path)),
        ])
    }

    /// Answers a request: the parts of its path behind the profile.
    func answer(_ request: StudioRequest, _ path: ArraySlice<String>) async throws -> StudioResponse {
        guard request.method == .get, path.count <= 2 else { throw unknown(path) }
        switch path.first {
        case nil: return .json(description)
        case "review" where path.count == 1: return .json(await judging.value.review.json)
        case "timeline" where path.count == 1:
            let span = try span(request)
            let width = try number(request, "width") ?? 1000
            return .json(timeline.json(in: span, width: Int(max(1, min(width, 10_000)))))
        case "events" where path.count == 1:
            return .json(events(in: try span(request), from: try number(request, "first") ?? 0))
        case "events":
            guard let index = Int(path.last ?? ""), profile.events.indices.contains(index) else {
                throw unknown(path)
            }
            return .json(await event(index))
        default: throw unknown(path)
        }
    }

    private func unknown(_ path: ArraySlice<String>) -> StudioFailure {
        StudioFailure(.notFound, "a profile has no \(path.joined(separator: "/"))")
    }

    private func number(_ request: StudioRequest, _ name: String) throws -> Int64? {
        guard let text = request.query[name] else { return nil }
        guard let number = Int64(text) else {
            throw StudioFailure(.malformed, "\"\(name)\" has to be a whole number")
        }
        return number
    }

    /// Returns the time that a request asks about: all of it, unless it says from when to when.
    private func span(_ request: StudioRequest) throws -> Range<Int64> {
        let from = try number(request, "from") ?? 0
        let to = try number(request, "to") ?? timeline.end
        guard from < to else { throw StudioFailure(.malformed, "\"from\" has to be less than \"to\"") }
        return from..<to
    }

    // MARK: Answers

    private var description: JSONValue {
        let threads = timeline.lanes.map { lane in
            JSONValue.object([
                .init("number", .integer(Int64(bitPattern: lane.thread.number))),
                .init("isMain", .boolean(lane.thread.isMain)),
                .init("depth", .integer(Int64(lane.depth))),
                .init("events", .integer(Int64(lane.events.count))),
            ])
        }
        return .object([
            .init("id", .string(id)), .init("name", .string(url.lastPathComponent)),
            .init("program", .string(profile.header.program)),
            .init("arguments", .array(profile.header.arguments.map { .string($0) })),
            .init("date", .string(profile.header.date.formatted(.iso8601))),
            .init("end", .integer(timeline.end)),
            .init("events", .integer(Int64(profile.events.count))),
            .init("isCutOff", .boolean(profile.brokenLineCount > 0)),
            .init("threads", .array(threads)),
        ])
    }

    /// The number of events that one answer lists.
    private static let mostListed = 200

    /// Returns a part of the events that overlap a span, and how many do.
    private func events(in span: Range<Int64>, from first: Int64) -> JSONValue {
        let found = profile.events.indices.filter { index in
            let event = profile.events[index]
            return event.start < span.upperBound && event.start + event.duration >= span.lowerBound
        }
        let part = found.dropFirst(Int(clamping: max(0, first))).prefix(Self.mostListed)
        return .object([
            .init("total", .integer(Int64(found.count))),
            .init("events", .array(part.map { .object(members(of: $0)) })),
        ])
    }

    private func event(_ index: Int) async -> JSONValue {
        let names = await judging.value.names
        let calls = profile.events[index].stack.flatMap { profile.stacks[$0] } ?? []
        let texts = calls.map { place in
            names[place]?.text
                ?? "\((place.image as NSString).lastPathComponent) + 0x\(String(place.offset, radix: 16))"
        }
        return .object(members(of: index) + [.init("calls", .array(texts.map { .string($0) }))])
    }

    private func members(of index: Int) -> [JSONValue.Member] {
        let event = profile.events[index]
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return [
            .init("index", .integer(Int64(index))), .init("kind", .string(event.kind.rawValue)),
            .init("start", .integer(event.start)), .init("duration", .integer(event.duration)),
            .init("entity", text(event.entity)), .init("detail", text(event.detail)),
            .init("count", event.count.map { .integer(Int64($0)) } ?? .null),
            .init("context", text(event.context)), .init("store", text(event.store)),
            .init("failure", text(event.failure)),
            .init("thread", .integer(Int64(bitPattern: event.thread.number))),
        ]
    }
}
