import CoreDataValues
import Testing

@Suite("Runs of rows that are alike")
struct RunsTests {
    private func runs(_ keys: String) -> [String] {
        let keys = Array(keys)
        return keys.indices.runs { keys[$0] }.map { "\($0.key) \($0.indices)" }
    }

    @Test("Each stretch of one key is a run, and what comes back later is another")
    func stretches() {
        #expect(runs("aabccca") == ["a 0..<2", "b 2..<3", "c 3..<6", "a 6..<7"])
    }

    @Test("One row is a run, none are none")
    func few() {
        #expect(runs("a") == ["a 0..<1"])
        #expect(runs("").isEmpty)
    }
}
