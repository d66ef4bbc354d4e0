import Foundation

/// A seeded source of numbers: the same cases in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}

/// How many random cases a run has, and from which seed on.
///
/// `CORE_DATA_TEST_CASES` makes the run longer, `CORE_DATA_TEST_SEED` sets its first seed, and
/// `CORE_DATA_TEST_SECONDS` sets the duration of tests that run by time. A failure names its seed: that seed
/// and one model's number of cases replay it.
enum RandomRun {
    private static let environment = ProcessInfo.processInfo.environment

    /// Cases that share a model and its data.
    static let casesPerModel = 100

    static let firstSeed = environment["CORE_DATA_TEST_SEED"].flatMap { UInt64($0) } ?? 1

    /// The requested number of cases, or nil without a request.
    static let cases = environment["CORE_DATA_TEST_CASES"].flatMap { UInt64($0) }
    static let seconds = environment["CORE_DATA_TEST_SECONDS"].flatMap(Double.init)

    static let seeds: [UInt64] = (0..<max(1, (cases ?? 800) / UInt64(casesPerModel))).map { firstSeed + $0 }
}
