import CoreDataValues
import Testing

@Suite("Runs of equal keys")
struct RunsTests {
    private func runs(_ keys: String) -> [String] {
        let keys = Array(keys)
        return keys.indices.runs { keys[$0] }.map { "\($0.key) \($0.indices)" }
    }

    @Test("Each run of equal keys is separate, also if a key comes back later")
    func stretches() {
        #expect(runs("aabccca") == ["a 0..<2", "b 2..<3", "c 3..<6", "a 6..<7"])
    }

    @Test("A single row is one run, and no rows are no run")
    func few() {
        #expect(runs("a") == ["a 0..<1"])
        #expect(runs("").isEmpty)
    }
}
