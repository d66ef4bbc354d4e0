import Foundation
import Testing

/// `CORE_DATA_TEST_CASES=100000` runs it longer, `CORE_DATA_TEST_SECONDS=3600` as long as that, and
/// `CORE_DATA_TEST_SEED=17 CORE_DATA_TEST_CASES=1` again the one that a failure names.
@Suite("Files changed at random")
struct MutationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let first = "CORE_DATA_TEST_MUTATION_FIRST"
    private static let last = "CORE_DATA_TEST_MUTATION_LAST"
    private static let results = "CORE_DATA_TEST_MUTATION_RESULTS"

    /// How many a process reads before another takes its place.
    private static let batch: UInt64 = 200

    @Test("The process that reads the files", .enabled(if: environment[results] != nil))
    func mutationReader() throws {
        func number(_ name: String) throws -> UInt64 { try #require(UInt64(Self.environment[name] ?? "")) }
        let file = try FileHandle(
            forWritingTo: URL(fileURLWithPath: try #require(Self.environment[Self.results])))
        for seed in try number(Self.first)...number(Self.last) {
            ProcessLimits.begin()
            try file.write(contentsOf: Data("\(seed)\n".utf8))
            let mutation = Mutation(seed: seed)
            let (words, changes) = try mutation.run()
            #expect(changes == [], "seed \(seed), \(mutation.target)")
            #expect(!words.contains(""), "seed \(seed), \(mutation.target)")
        }
    }

    @Test("Each file is read or refused, and does not change")
    func mutations() async throws {
        let folder = try ScratchFolder()
        let file = folder.file("results")
        let latest = RandomRun.seconds.map { ContinuousClock.now + .seconds($0) }
        var next = RandomRun.firstSeed
        let end = latest == nil ? next + (RandomRun.cases ?? 60) : .max
        while next < end, latest.map({ ContinuousClock.now < $0 }) ?? true {
            let last = min(next + Self.batch, end) - 1
            try Data().write(to: file)
            let process = try TestProcess(
                "mutationReader", in: folder,
                environment: [Self.first: "\(next)", Self.last: "\(last)", Self.results: file.path])
            let failure = await process.failure()
            let reached = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").last.flatMap {
                UInt64($0)
            }
            if let failure { Issue.record("seed \(reached ?? next): \(failure)") }
            // Behind the one that a process did not survive.
            next = failure == nil ? last + 1 : (reached ?? next) + 1
        }
    }
}
