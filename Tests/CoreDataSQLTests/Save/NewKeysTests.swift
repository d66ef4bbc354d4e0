import Testing

@testable import CoreDataSQL

@Suite("Keys for new rows")
struct NewKeysTests {
    private func taken(_ keys: NewKeys) -> [Int64] {
        var keys = keys
        return (0..<keys.count).map { _ in keys.next() }
    }

    @Test("Keys of one run follow one another")
    func run() {
        #expect(taken(NewKeys(5..<9)) == [5, 6, 7, 8])
        #expect(taken(NewKeys()).isEmpty)
    }

    @Test("Keys are taken from several runs, and what is left stays for later")
    func runs() {
        var keys = NewKeys(1..<4)
        keys.append(65..<68)
        keys.append(129..<132)
        #expect(taken(keys.take(5)) == [1, 2, 3, 65, 66])
        #expect(keys.count == 4)
        #expect(taken(keys.take(9)) == [67, 129, 130, 131])
        #expect(keys.count == 0)
        keys.append(NewKeys(193..<195))
        #expect(taken(keys) == [193, 194])
    }
}
