import Testing

@testable import CoreData

@Suite("Tables of objects by key")
struct KeyTableTests {
    /// Any pointer that is not null.
    private func object(_ number: Int) -> UnsafeRawPointer { UnsafeRawPointer(bitPattern: number << 4 | 8)! }

    @Test(
        "A table behaves like a dictionary for any sequence of keys",
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

    @Test("A table removes all or matching entries, and accepts new ones afterwards")
    func removesMany() {
        var table = KeyTable()
        defer { table.deallocate() }
        for key in Int64(0)..<1000 { table.set(key, object(Int(key))) }
        table.removeAll { key, present in
            #expect(present == object(Int(key)))
            return key % 3 == 0
        }
        #expect(table.count == 666)
        for key in Int64(0)..<1000 { #expect(table[key] == (key % 3 == 0 ? nil : object(Int(key)))) }
        table.removeAll()
        #expect(table.count == 0)
        #expect(table[1] == nil)
        table.set(1, object(5))
        #expect(table.count == 1)
        #expect(table[1] == object(5))
    }
}
