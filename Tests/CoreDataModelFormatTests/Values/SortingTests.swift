import CoreDataValues
import Testing

@Suite("Sorting by keys")
struct SortingTests {
    @Test("Elements are in the order of their keys, and those with equal keys as they were")
    func byKeys() {
        let words = ["pear", "fig", "apple", "plum", "kiwi", "date", "lime"]
        #expect(words.sorted(by: \.count) == ["fig", "pear", "plum", "kiwi", "date", "lime", "apple"])
        #expect(words.sorted { -$0.count }.map(\.count) == [5, 4, 4, 4, 4, 4, 3])
        #expect(["b": 1, "a": 2].sorted(by: \.key).map(\.value) == [2, 1])
        #expect([String]().sorted(by: \.count).isEmpty)
    }

    @Test("The order of code points tells spellings of a letter apart and puts large before small letters")
    func byCodePoints() {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let sorted = [composed, "f", decomposed, "F"].sorted(byCodePointsOf: \.self)
        #expect(
            sorted.map { Array($0.unicodeScalars) }
                == ["F", decomposed, "f", composed].map { Array($0.unicodeScalars) })
    }
}
