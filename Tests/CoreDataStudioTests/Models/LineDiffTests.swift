import CoreDataStudio
import Testing

@Suite("Differences of two texts by lines")
struct LineDiffTests {
    private func words(_ old: String, _ new: String, context: Int = 1) -> [[String]] {
        LineDiff(from: old, to: new, context: context).hunks.map { hunk in
            hunk.map { line in
                let sign = ["same": " ", "added": "+", "removed": "-"][line.kind.rawValue] ?? ""
                return "\(sign)\(line.text)"
            }
        }
    }

    @Test("Parts that differ come with their surroundings, and those that touch are one")
    func hunks() {
        #expect(words("a\nb\nc", "a\nb\nc").isEmpty)
        #expect(
            words("a\nb\nc\nd\ne\nf", "a\nB\nc\nd\ne\nF") == [[" a", "-b", "+B", " c"], [" e", "-f", "+F"]])
        #expect(words("a\nb\nc\nd", "A\nb\nc\nD") == [["-a", "+A", " b", " c", "-d", "+D"]])
    }

    @Test("Of a new text every line is added, of an empty one every line removed")
    func empty() {
        #expect(words("", "a\nb") == [["+a", "+b"]])
        #expect(words("a\nb", "") == [["-a", "-b"]])
    }
}
