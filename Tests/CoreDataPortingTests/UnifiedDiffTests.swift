#if Overlay
import CoreDataCodegen
import CoreDataPorting
import Testing

@Suite("Differences of texts")
struct UnifiedDiffTests {
    private let text = (1...20).map { "line \($0)\n" }.joined()

    @Test("Equal texts have an empty diff")
    func equal() {
        #expect(UnifiedDiff(from: text, to: text).text(naming: "a") == "")
        #expect(UnifiedDiff(from: "", to: "").text(naming: "a") == "")
    }

    @Test("Changed lines have three unchanged lines around them, with line numbers of both texts")
    func changed() {
        let changed = text.replacing("line 5\n", with: "line five\nand a half\n")
        #expect(
            UnifiedDiff(from: text, to: changed).text(naming: "a.swift") == """
                --- a.swift
                +++ a.swift
                @@ -2,7 +2,8 @@
                 line 2
                 line 3
                 line 4
                -line 5
                +line five
                +and a half
                 line 6
                 line 7
                 line 8

                """)
    }

    @Test("Changes far apart are in separate hunks, and near ones share a hunk")
    func hunks() {
        func headers(_ changed: String) -> [Substring] {
            UnifiedDiff(from: text, to: changed).text(naming: "a").split(separator: "\n").filter {
                $0.hasPrefix("@@")
            }
        }
        #expect(
            headers(text.replacing("line 2\n", with: "").replacing("line 19\n", with: ""))
                == ["@@ -1,5 +1,4 @@", "@@ -16,6 +15,5 @@"])
        #expect(
            headers(text.replacing("line 8\n", with: "").replacing("line 14\n", with: "")) == [
                "@@ -5,13 +5,11 @@"
            ])
    }
}
#endif
