import Foundation
import Testing

/// The files are read in another process, which is started again after each crash.
@Suite("Files that were made to do harm")
struct HostileFileTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let first = "CORE_DATA_TEST_HOSTILE_FIRST"
    private static let results = "CORE_DATA_TEST_HOSTILE_RESULTS"

    @Test("The process that reads the files", .enabled(if: environment[results] != nil))
    func hostileReader() throws {
        let file = try FileHandle(
            forWritingTo: URL(fileURLWithPath: try #require(Self.environment[Self.results])))
        try file.seekToEnd()
        for input in HostileInput.all.dropFirst(Int(Self.environment[Self.first] ?? "") ?? 0) {
            ProcessLimits.begin()
            try file.write(contentsOf: JSONEncoder().encode(input.outcome()) + Data("\n".utf8))
        }
    }

    /// The outcomes of all inputs, by name.
    private static let outcomes = Task { () async throws -> [String: HostileInput.Outcome] in
        let folder = try ScratchFolder()
        let file = folder.file("results")
        try Data().write(to: file)
        var outcomes: [HostileInput.Outcome] = []
        while outcomes.count < HostileInput.all.count {
            let process = try TestProcess(
                "hostileReader", in: folder,
                environment: [first: "\(outcomes.count)", results: file.path])
            let end = await process.failure()
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

    @Test("Each file is read or refused with a message, and does not change", arguments: HostileInput.all)
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
