import CoreDataCodegen
import Foundation
import Testing

/// Everything is read in another process, which is started again where it comes to harm.
///
/// `CORE_DATA_TEST_CASES=100000` runs it longer, and `CORE_DATA_TEST_SEED=17 CORE_DATA_TEST_CASES=1` again
/// the one that a failure names.
@Suite("Sources changed at random")
struct SourceMutationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let first = "CORE_DATA_TEST_SOURCE_FIRST"
    private static let last = "CORE_DATA_TEST_SOURCE_LAST"
    private static let results = "CORE_DATA_TEST_SOURCE_RESULTS"

    @Test("The process that reads the sources", .enabled(if: environment[results] != nil))
    func sourceReader() throws {
        func number(_ name: String) throws -> UInt64 { try #require(UInt64(Self.environment[name] ?? "")) }
        let file = try FileHandle(
            forWritingTo: URL(fileURLWithPath: try #require(Self.environment[Self.results])))
        for seed in try number(Self.first)...number(Self.last) {
            ProcessLimits.begin()
            try file.write(contentsOf: Data("\(seed)\n".utf8))
            let mutation = SourceMutation(seed: seed)
            do {
                try mutation.read()
            } catch let error as UnreadableSource {
                #expect(!error.message.isEmpty, "seed \(seed)")
                #expect(error.position.line > 0, "seed \(seed)")
                #expect(error.position.column > 0, "seed \(seed)")
            }
        }
    }

    @Test("Reading terminates for any text")
    func mutations() async throws {
        let folder = try ScratchFolder()
        let file = folder.file("results")
        var next = RandomRun.firstSeed
        let end = next + (RandomRun.cases ?? 150)
        while next < end {
            try Data().write(to: file)
            let process = try TestProcess(
                "sourceReader", in: folder,
                environment: [Self.first: "\(next)", Self.last: "\(end - 1)", Self.results: file.path])
            let failure = await process.failure()
            let reached = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").last.flatMap {
                UInt64($0)
            }
            if let failure { Issue.record("seed \(reached ?? next): \(failure)") }
            // Behind the one that a process did not survive.
            next = failure == nil ? end : (reached ?? next) + 1
        }
    }
}
