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

    private static let firstSeed = environment["CORE_DATA_TEST_SEED"].flatMap { UInt64($0) } ?? 1
    private static let count = environment["CORE_DATA_TEST_CASES"].flatMap { UInt64($0) } ?? 60
    private static let seconds = environment["CORE_DATA_TEST_SECONDS"].flatMap(Double.init)
    /// How many a process reads before another takes its place.
    private static let batch: UInt64 = 200

    @Test("The process that reads the files", .enabled(if: environment[results] != nil))
    func mutationReader() throws {
        func number(_ name: String) throws -> UInt64 { try #require(UInt64(Self.environment[name] ?? "")) }
        let file = try FileHandle(
            forWritingTo: URL(fileURLWithPath: try #require(Self.environment[Self.results])))
        for seed in try number(Self.first)...number(Self.last) {
            LimitedProcess.limit(seconds: 60, memory: 6 << 30)
            try file.write(contentsOf: Data("\(seed)\n".utf8))
            let mutation = Mutation(seed: seed)
            let (words, changes) = try mutation.run()
            #expect(changes == [], "seed \(seed), \(mutation.target)")
            #expect(!words.contains(""), "seed \(seed), \(mutation.target)")
        }
    }

    @Test("Each is read or refused, and stays as it is")
    func mutations() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hostile-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("results")
        let end = Self.seconds.map { ContinuousClock.now + .seconds($0) }
        var next = Self.firstSeed
        while end.map({ ContinuousClock.now < $0 }) ?? (next < Self.firstSeed + Self.count) {
            let last =
                end == nil ? min(next + Self.batch, Self.firstSeed + Self.count) - 1 : next + Self.batch - 1
            try Data().write(to: file)
            let process = try LimitedProcess(
                "mutationReader",
                environment: [Self.first: "\(next)", Self.last: "\(last)", Self.results: file.path],
                log: folder.appendingPathComponent("log"))
            let failure = await process.end()
            let reached = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").last.flatMap {
                UInt64($0)
            }
            if let failure { Issue.record("seed \(reached ?? next): \(failure)") }
            // Behind the one that a process did not survive.
            next = failure == nil ? last + 1 : (reached ?? next) + 1
        }
    }
}
