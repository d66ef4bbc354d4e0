import CoreDataJSON
import CoreDataStudio
import CoreDataStudioInterface
import CoreDataTool
import Foundation
import Testing

@Suite("What the studio answers about a profile")
struct ProfileAnswerTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("profile-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// A fetch, twelve faults with a statement each, and a save that takes 40 ms, as a program records them.
    private static let lines =
        [
            #"{"header":{"format":1,"program":"Shelves","arguments":[],"process":7,"date":0}}"#,
            event("fetch", 0, 5_000_000, #""entity":"Book","detail":"SELECT all","count":12"#),
        ]
        + (0..<12).flatMap { number -> [String] in
            let start = 6_000_000 + number * 200_000
            return [
                event("fault", start, 150_000, #""entity":"Book","count":1"#),
                event("statement", start + 10_000, 100_000, #""detail":"SELECT t0.ZTITLE FROM ZBOOK t0""#),
            ]
        } + [event("save", 10_000_000, 40_000_000, #""count":3"#)]

    private static func event(_ kind: String, _ start: Int, _ duration: Int, _ rest: String) -> String {
        #"{"event":{"kind":"\#(kind)","start":\#(start),"duration":\#(duration),\#(rest),"#
            + #""thread":{"number":1,"isMain":true}}}"#
    }

    /// Opens a file of lines in a studio, for a body.
    private func open(
        _ lines: [String], _ body: (Studio) async throws -> Void
    ) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("run.data")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        var options = StudioOptions(files: [file], root: folder)
        options.stateFolder = folder.appendingPathComponent("state")
        let studio = try Studio(options)
        defer { studio.close() }
        try await body(studio)
    }

    private func get(_ studio: Studio, _ path: String, _ query: [String: String] = [:]) async -> JSONValue {
        let parts = path.split(separator: "/").map(String.init)
        let response = await studio.answer(StudioRequest(.get, parts, query: query))
        guard case .json(let value) = response.body else { return .null }
        return value
    }

    @Test("a file is known as a profile by how it begins, and lists its threads and findings")
    func opening() async throws {
        try await open(Self.lines) { studio in
            #expect(await get(studio, "documents").at("profiles.0.name").string == "run.data")
            let profile = await get(studio, "profiles/p1")
            #expect(profile["program"]?.string == "Shelves")
            #expect(profile["events"]?.whole == 26)
            #expect(profile["end"]?.whole == 50_000_000)
            #expect(profile.at("threads.0.depth").whole == 2)
            let findings = await get(studio, "profiles/p1/review").at("findings").elements
            #expect(findings.map { $0["kind"]?.string } == ["blockingSave", "faultLoop"])
            #expect(findings[1]["start"]?.whole == 6_000_000)
            #expect(findings[1]["end"]?.whole == 8_350_000)
        }
    }

    @Test("the events of a time are listed and drawn, those outside are not")
    func times() async throws {
        try await open(Self.lines) { studio in
            let some = ["from": "6000000", "to": "6300000"]
            let events = await get(studio, "profiles/p1/events", some)
            #expect(events["total"]?.whole == 4)
            #expect(
                events.at("events").elements.map { $0["kind"]?.string }
                    == ["fault", "statement", "fault", "statement"])
            let points = some.merging(["width": "300"]) { $1 }
            let timeline = await get(studio, "profiles/p1/timeline", points)
            #expect(timeline.at("lanes.0").elements.count == 4)
            #expect(timeline.at("lanes.0.0.1").string == "fault")
            let event = await get(studio, "profiles/p1/events/2")
            #expect(event["detail"]?.string == "SELECT t0.ZTITLE FROM ZBOOK t0")
            #expect(event["calls"] == .array([]))
        }
    }

    @Test(
        "what a page must not ask is refused, with the reason",
        arguments: [
            ("profiles/p2", [:], 404), ("profiles/p1/events/26", [:], 404),
            ("profiles/p1/events/x", [:], 404),
            ("profiles/p1/lines", [:], 404), ("profiles/p1/timeline", ["from": "9", "to": "9"], 400),
            ("profiles/p1/events", ["from": "a"], 400),
        ] as [(String, [String: String], Int)])
    func refusals(path: String, query: [String: String], status: Int) async throws {
        try await open(Self.lines) { studio in
            let parts = path.split(separator: "/").map(String.init)
            let response = await studio.answer(StudioRequest(.get, parts, query: query))
            #expect(response.status == status)
        }
    }

    @Test("a damaged profile is not opened, and its line is named")
    func damage() async throws {
        let error = await #expect(throws: ToolError.self) {
            try await open([Self.lines[0], "{", Self.lines[1]]) { _ in }
        }
        #expect(error?.description.contains("line 2 is damaged") == true)
    }

    @Test("a profile whose last line is cut off is opened, and says so")
    func cutOff() async throws {
        try await open([Self.lines[0], Self.lines[1], String(Self.lines[2].prefix(20))]) { studio in
            #expect(await get(studio, "profiles/p1")["isCutOff"] == .boolean(true))
        }
    }
}
