import Foundation
import Testing

/// Everything is read in another process, which is started again where it comes to harm.
@Suite("Files that were made to do harm")
struct HostileFileTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let first = "CORE_DATA_TEST_HOSTILE_FIRST"
    private static let results = "CORE_DATA_TEST_HOSTILE_RESULTS"

    /// What one of them may take: more than any does by far, even where the code is not optimized.
    private static let seconds = 60
    private static let memory = 6 << 30

    @Test("The process that reads the files", .enabled(if: environment[results] != nil))
    func hostileReader() throws {
        let file = try FileHandle(
            forWritingTo: URL(fileURLWithPath: try #require(Self.environment[Self.results])))
        try file.seekToEnd()
        for input in HostileInput.all.dropFirst(Int(Self.environment[Self.first] ?? "") ?? 0) {
            LimitedProcess.limit(seconds: Self.seconds, memory: Self.memory)
            try file.write(contentsOf: JSONEncoder().encode(input.outcome()) + Data("\n".utf8))
        }
    }

    /// By name.
    private static let outcomes = Task { () async throws -> [String: HostileInput.Outcome] in
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hostile-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("results")
        try Data().write(to: file)
        var outcomes: [HostileInput.Outcome] = []
        while outcomes.count < HostileInput.all.count {
            let process = try LimitedProcess(
                "hostileReader", environment: [first: "\(outcomes.count)", results: file.path],
                log: folder.appendingPathComponent("log"))
            let end = await process.end()
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            outcomes += try lines.map {
                try JSONDecoder().decode(HostileInput.Outcome.self, from: Data($0.utf8))
            }
            try Data().write(to: file)
            if outcomes.count < HostileInput.all.count {
                outcomes.append(
                    .init(name: HostileInput.all[outcomes.count].name, end: end ?? "without a word"))
            }
        }
        return Dictionary(uniqueKeysWithValues: outcomes.map { ($0.name, $0) })
    }

    @Test("Each is read or refused with a word, and stays as it is", arguments: HostileInput.all)
    func read(_ input: HostileInput) async throws {
        let outcomes = try await Self.outcomes.value
        let outcome = try #require(outcomes[input.name])
        #expect(outcome.end == nil)
        #expect(outcome.changes == [])
        for complaint in input.complaints {
            #expect(outcome.words.contains { $0.contains(complaint) }, "\(outcome.words)")
        }
        // An error without a word is none.
        #expect(!outcome.words.contains { $0.isEmpty && outcome.words.count == 1 })
    }
}
