import CoreData
import CoreDataJSON
import CoreDataTool
import Foundation
import Testing

@Suite("Export and import")
struct ExchangeTests {
    private func export(_ url: URL, entities: [String] = [], includesModel: Bool = true) throws -> [String] {
        var lines: [String] = []
        try StoreExport(OpenedStore(at: url), entities: entities, includesModel: includesModel)
            .write { lines.append($0) }
        return lines
    }

    @discardableResult
    private func importing(
        _ lines: [String], into url: URL, model: URL? = nil, isStrict: Bool = false
    ) throws -> Int {
        let reader = StoreImport(into: url, model: model, isStrict: isStrict)
        do {
            for line in lines { try reader.read(line) }
        } catch {
            reader.discard()
            throw error
        }
        return try reader.finish()
    }

    @Test("A store imported from an export has every value and the order of members")
    func roundTrip() throws {
        let library = try LibraryStore()
        let lines = try export(library.url)
        #expect(lines.count == 13)
        let copy = library.folder.appendingPathComponent("Copy.sqlite")
        #expect(try importing(lines, into: copy) == 12)
        let again = try export(copy)
        #expect(try ExportGraph.canonical(again) == ExportGraph.canonical(lines))
        #expect(try ExportGraph.canonical(again).contains { $0.line.contains("\"chapters\":[") })
        #expect(try StoreCheck(OpenedStore(at: copy)).findings() == [])
        // The copy has the same model, class names included.
        let header = try JSONParser.parse(lines[0])
        #expect(try JSONParser.parse(again[0])["model"] == header["model"])
    }

    @Test("A relationship is exported from one side, and nil is written where there is a default")
    func lines() throws {
        let library = try LibraryStore()
        let lines = try export(library.url)
        let lathe = try #require(lines.first { $0.contains("Lathe") }.map { try JSONParser.parse($0) })
        #expect(lathe["attributes"]?["cover"] == .string("AQID"))
        #expect(lathe["attributes"]?["published"] == nil)
        #expect(lathe["relationships"]?["author"]?.string?.hasPrefix("Author/p") == true)
        #expect(lathe["relationships"]?["tags"] == nil)
        let author = try #require(lines.first { $0.contains("Ursula") }.map { try JSONParser.parse($0) })
        #expect(author["relationships"] == nil)
        #expect(author["attributes"]?["born"] == .string("1929-11-09T23:59:59.750Z"))

        try library.damage("UPDATE ZBOOK SET ZPAGES = NULL WHERE ZPAGES = 0")
        let empty = try export(library.url, entities: ["Book"]).map { try JSONParser.parse($0) }
            .first { $0["attributes"]?["title"] == .string("") }
        #expect(empty?["attributes"]?["pages"] == .null)
    }

    @Test("A duplicate of a unique value fails the import, and the error names object and value")
    func taken() throws {
        let library = try LibraryStore()
        let reader = StoreImport(into: library.url)
        try reader.read(#"{"id": "Tag/again", "attributes": {"word": "sf"}}"#)
        let error = #expect(throws: ToolError.self) { try reader.finish() }
        #expect(error?.description == "Tag/again: word sf is taken, and must be unique")
    }

    @Test("Objects without mandatory values are imported with a warning, or refused on request")
    func brokenRules() throws {
        let library = try LibraryStore()
        try library.damage(
            "UPDATE ZAUTHOR SET ZNAME = NULL", "UPDATE ZCHAPTER SET ZBOOK = NULL WHERE Z_PK = 1")
        let lines = try export(library.url)
        let copy = library.folder.appendingPathComponent("Copy.sqlite")
        let strict = StoreImport(into: copy, isStrict: true)
        for line in lines { try strict.read(line) }
        let error = #expect(throws: ToolError.self) { try strict.finish() }
        #expect(error?.description.contains("name is a required value") == true)
        #expect(!FileManager.default.fileExists(atPath: copy.path))

        let reader = StoreImport(into: copy)
        for line in lines { try reader.read(line) }
        #expect(try reader.finish() == 12)
        #expect(
            reader.warnings == [
                "2 objects: Author.name: name is a required value",
                "1 object: Chapter.book: book is a required value",
            ])
        #expect(try ExportGraph.canonical(export(copy)) == ExportGraph.canonical(lines))
    }

    @Test("Chosen entities are exported with their subentities, and the model is optional")
    func choice() throws {
        let library = try LibraryStore()
        let lines = try export(library.url, entities: ["Book"], includesModel: false)
        #expect(lines.count == 4)
        #expect(try JSONParser.parse(lines[0])["model"] == nil)
        #expect(throws: ToolError.self) { try export(library.url, entities: ["Buch"]) }
    }

    @Test("Lines written by hand are added to the store, with defaults for missing values")
    func byHand() throws {
        let library = try LibraryStore()
        let lines = [
            #"{"id": "Author/new", "attributes": {"name": "Stanisław Lem", "born": "1921-09-12", "royalty": 0.5}}"#,
            "",
            #"{"id": "Book/1", "attributes": {"title": "Solaris"}, "relationships": {"author": "Author/new"}}"#,
        ]
        #expect(try importing(lines, into: library.url) == 2)
        var rows: [String] = []
        try StoreFetch(
            FetchSpecification(
                entity: "Book", predicate: "author.name CONTAINS 'Lem'", properties: ["title", "pages"]),
            from: OpenedStore(at: library.url)
        ).write(.csv) { rows.append($0) }
        #expect(rows == ["title,pages", "Solaris,0"])
        #expect(try export(library.url).count == 15)
    }

    @Test(
        "A bad line is an error that names it, and nothing is imported",
        arguments: [
            (#"{"id": "Book/1", "attributes": {"titel": "x"}}"#, "line 2: Book has no attribute \"titel\""),
            (
                #"{"id": "Book/1", "attributes": {"pages": "many"}}"#,
                "line 2: Book.pages: \"many\" is no Integer 32"
            ),
            (#"{"id": "Book/1", "attributes": {"pages": 3000000000}}"#, "Integer 32"),
            (#"{"id": "Author/1", "attributes": {"royalty": "1.2.3"}}"#, "is no Decimal"),
            (#"{"id": "Author/1", "attributes": {"royalty": "1e"}}"#, "is no Decimal"),
            (#"{"id": "Author/1", "attributes": {"born": "1929-02-29"}}"#, "is no date"),
            (
                #"{"id": "Book/1", "relationships": {"author": "Author/9"}}"#,
                "line 2: author leads to Author/9"
            ),
            (#"{"id": "Book/1", "relationships": {"author": "Book/1"}}"#, "which is no Author"),
            (#"{"id": "Book/1", "relationships": {"tags": "Tag/1"}}"#, "must be an array"),
            (#"{"id": "Buch/1"}"#, "line 2: the model has no entity \"Buch\""),
            (#"{"id": "Book/1""#, "line 2: malformed JSON at byte 15"),
            (#"{"attributes": {}}"#, "line 2: an object needs an \"id\""),
            (#"{"coredata": 99}"#, "version 99"),
            (
                #"{"id": "Chapter/1", "attributes": {"title": "an orphan"}}"#,
                "Chapter/1: book is a required value"
            ),
        ])
    func mistakes(_ line: String, _ message: String) throws {
        let library = try LibraryStore()
        let copy = library.folder.appendingPathComponent("Copy.sqlite")
        let header = try export(library.url)[0]
        let before = try library.files()
        let error = #expect(throws: (any Error).self) {
            try importing([header, line], into: copy, isStrict: true)
        }
        let text = error.map { ErrorText.describe($0) } ?? ""
        #expect(text.contains(message), "\(text)")
        #expect(try library.files() == before)
    }

    @Test(
        "Decimals may be written as numbers or strings, in every form of a number",
        arguments: [
            ("1", "1"), ("-0.25", "-0.25"), ("\"+5.\"", "5"), ("\".5\"", "0.5"), ("\"12e-1\"", "1.2"),
            ("1E3", "1000"),
        ])
    func decimals(_ written: String, _ value: String) throws {
        let library = try LibraryStore()
        let line = #"{"id": "Author/new", "attributes": {"name": "x", "royalty": \#(written)}}"#
        try importing([line], into: library.url)
        let author = try #require(export(library.url).first { $0.contains(#""name":"x""#) })
        #expect(try JSONParser.parse(author)["attributes"]?["royalty"] == .string(value))
    }

    @Test("If the export contains no model, a new store needs a model file")
    func modelFile() throws {
        let library = try LibraryStore()
        var lines = try export(library.url, includesModel: false)
        let copy = library.folder.appendingPathComponent("Copy.sqlite")
        let error = #expect(throws: ToolError.self) { try importing(lines, into: copy) }
        #expect(error?.description.contains("--model") == true)
        let model = library.folder.appendingPathComponent("Library.mom")
        try LibraryModel.write(to: model)
        lines.removeFirst()
        #expect(try importing(lines, into: copy, model: model) == 12)
        #expect(try export(copy).count == 13)
    }
}
