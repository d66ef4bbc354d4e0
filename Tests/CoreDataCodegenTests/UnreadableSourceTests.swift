import CoreDataCodegen
import Testing

@Suite("Sources that the reader of declarations does not understand")
struct UnreadableSourceTests {
    @Test(
        "An unreadable source is an error with file, line, column and the plugin's name",
        arguments: [
            ("class A {\n", 1, 9), ("struct A {\n    var x: \n}", 3, 1),
            ("class A {\n  let s = \"open\n}", 2, 11),
            ("}", 1, 1), ("#if os(Linux)\nclass A {}", 2, 11), ("class A {\n    @objc\n}", 3, 1),
        ])
    func refused(source: String, line: Int, column: Int) throws {
        let error = try #require(throws: UnreadableSource.self) {
            try DeclarationReader.read(SourceText(path: "/src/File.swift", text: source))
        }
        #expect(error.position == SourcePosition(file: "/src/File.swift", line: line, column: column))
        #expect(error.report.hasPrefix("/src/File.swift:\(line):\(column): error: "))
        #expect(error.report.contains("CoreDataOverlayPlugin"))
    }
}
