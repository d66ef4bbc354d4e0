import Testing

@testable import CoreData

@Suite("Objects by key")
struct KeyTableTests {
    /// Anything that is no null.
    private func object(_ number: Int) -> UnsafeRawPointer { UnsafeRawPointer(bitPattern: number << 4 | 8)! }

    @Test(
        "A table holds what a dictionary would, whatever keys come and go",
        arguments: [1, 3, 4, 64, -1, 1 << 40])
    func holdsWhatADictionaryWould(step: Int64) {
        var random = SeededGenerator(seed: UInt64(bitPattern: step))
        var table = KeyTable()
        defer { table.deallocate() }
        var expected: [Int64: UnsafeRawPointer] = [:]
        for round in 1...4000 {
            let key = Int64.random(in: 0..<1500, using: &random) &* step
            switch Int.random(in: 0..<5, using: &random) {
            case 0: #expect(table.remove(key) == expected.removeValue(forKey: key))
            case 1: #expect(table.remove(key, ifIs: object(0)) == nil)
            default:
                #expect(table.set(key, object(round)) == expected.updateValue(object(round), forKey: key))
            }
            if round == 1000 { table.reserve(5000) }
            #expect(table.count == expected.count)
        }
        for key in 0..<Int64(1500) { #expect(table[key &* step] == expected[key &* step]) }
        var found: [Int64: UnsafeRawPointer] = [:]
        table.forEach { found[$0] = $1 }
        #expect(found == expected)
    }
}
