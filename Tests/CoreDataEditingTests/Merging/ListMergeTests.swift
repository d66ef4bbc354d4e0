import CoreDataEditing
import Testing

@Suite("Lists that two sides changed")
struct ListMergeTests {
    private static func merge(_ base: String, _ ours: String, _ theirs: String) -> String {
        String(ListMerge(base: Array(base), ours: Array(ours), theirs: Array(theirs)).merged())
    }

    @Test(
        "Elements that either side added, removed or moved are so in the result",
        arguments: [
            ("abc", "abxc", "ybc", "ybxc"), ("abcd", "dabc", "abd", "dab"), ("abcd", "bacd", "abdc", "badc"),
            ("", "ab", "bc", "abc"), ("abc", "", "abcd", "d"), ("ab", "abx", "aby", "abxy"),
            ("ab", "xab", "yab", "xyab"),
        ])
    func examples(base: String, ours: String, theirs: String, result: String) {
        #expect(Self.merge(base, ours, theirs) == result)
    }

    @Test("If one side has not changed, the result is the other; if both are the same, it is that")
    func laws() {
        var random = SeededGenerator(state: 7)
        for _ in 0..<2000 {
            let base = random.list()
            let (one, two) = (random.change(of: base), random.change(of: base))
            #expect(Self.merge(base, base, one) == one)
            #expect(Self.merge(base, one, base) == one)
            #expect(Self.merge(base, one, one) == one)
            let kept = Set(base).intersection(one).intersection(two)
            let added = Set(one).union(two).subtracting(base)
            #expect(Set(Self.merge(base, one, two)) == kept.union(added))
            #expect(Set(Self.merge(base, two, one)) == kept.union(added))
        }
    }

    @Test("An element that ours needs stays although theirs has removed it")
    func kept() {
        let merge = ListMerge(base: ["a", "b"], ours: ["a", "b"], theirs: ["a"])
        #expect(merge.merged(keeping: ["b"]) == ["a", "b"])
    }
}

extension SeededGenerator {
    fileprivate mutating func list() -> String {
        String("abcdefgh".filter { _ in Bool.random(using: &self) }.shuffled(using: &self))
    }

    fileprivate mutating func change(of list: String) -> String {
        var letters = list.filter { _ in Int.random(in: 0..<5, using: &self) > 0 }.map { $0 }
        for letter in "uvwx" where Int.random(in: 0..<4, using: &self) == 0 {
            letters.insert(letter, at: Int.random(in: 0...letters.count, using: &self))
        }
        if letters.count > 1, Bool.random(using: &self) {
            let letter = letters.remove(at: Int.random(in: 0..<letters.count, using: &self))
            letters.insert(letter, at: Int.random(in: 0...letters.count, using: &self))
        }
        return String(letters)
    }
}
