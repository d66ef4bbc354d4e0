import CoreDataJSON
import CoreDataTool
import Foundation
import Testing

@Suite("Fetching from the command line")
struct FetchTests {
    private func lines(
        _ specification: FetchSpecification, _ format: StoreFetch.Format = .csv,
        of library: LibraryStore? = nil
    ) throws -> [String] {
        let library = try library ?? LibraryStore()
        var lines: [String] = []
        try StoreFetch(specification, from: OpenedStore(at: library.url)).write(format) { lines.append($0) }
        return lines
    }

    @Test("An error of the framework is printed once, without empty phrases")
    func errors() throws {
        let library = try LibraryStore()
        let fetch = try StoreFetch(
            FetchSpecification(entity: "Book", predicate: "titel == 1"), from: OpenedStore(at: library.url))
        let error = #expect(throws: NSError.self) { try fetch.count() }
        #expect(error.map { ErrorText.describe($0) } == "keypath titel not found in entity Book")
        let folder = #expect(throws: NSError.self) { try OpenedStore(at: library.folder) }
        #expect(
            folder.map { ErrorText.describe($0) }
                == "\(library.folder.path): The file couldn’t be opened: the path is a folder")
    }

    @Test("Predicate, order, properties and limit apply, and subentities are included")
    func request() throws {
        var books = FetchSpecification(
            entity: "Book", predicate: "author.name CONTAINS[cd] 'guin'", sort: ["pages:desc"],
            properties: ["title", "pages", "author.name", "chapters.@count"])
        #expect(
            try lines(books) == [
                "title,pages,author.name,chapters.@count", "The Dispossessed,341,Ursula K. Le Guin,3",
                "The Lathe of Heaven,184,Ursula K. Le Guin,0",
            ])
        books.limit = 1
        books.offset = 1
        #expect(try lines(books).last == "The Lathe of Heaven,184,Ursula K. Le Guin,0")
        books.includesSubentities = false
        books.offset = 0
        #expect(try lines(books).last == "The Lathe of Heaven,184,Ursula K. Le Guin,0")
    }

    @Test("A table has one line for each object, whatever characters its texts contain")
    func table() throws {
        let authors = FetchSpecification(
            entity: "Author", sort: ["name"], properties: ["name", "score", "site"])
        #expect(
            try lines(authors, .table) == [
                #"name                      score  site"#,
                #"------------------------  -----  ------------------------------"#,
                #"Nobody, "N."\nof Nowhere"#,
                #"Ursula K. Le Guin         9.5    https://www.ursulakleguin.com/"#,
            ])
    }

    @Test("CSV quotes values that need it, and JSON keeps the values' types")
    func formats() throws {
        let authors = FetchSpecification(entity: "author", sort: ["name"], properties: ["name"])
        #expect(try lines(authors)[1] == "\"Nobody, \"\"N.\"\"\nof Nowhere\"")
        let all = FetchSpecification(entity: "Author", predicate: "score > 9")
        let json = try JSONParser.parse(try lines(all, .json).joined(separator: "\n"))
        guard case .array(let authors) = json else { throw ToolError("no array") }
        #expect(authors.count == 1)
        #expect(authors[0]["born"] == .string("1929-11-09T23:59:59.750Z"))
        #expect(authors[0]["isAlive"] == .boolean(false))
        #expect(authors[0]["royalty"] == .string("0.125"))
        #expect(authors[0]["score"] == .double(9.5))
        #expect(authors[0]["token"] == .string("0D7F9C10-6C0B-4D53-8A3B-9A8B0E3C6F11"))
        #expect(authors[0]["objectID"]?.string?.hasPrefix("Author/p") == true)
    }

    @Test("A result without objects is an empty array, or headings alone")
    func nothing() throws {
        let none = FetchSpecification(entity: "Card", predicate: "number < 0", properties: ["number"])
        #expect(try lines(none, .json) == ["[", "]"])
        #expect(try lines(none, .csv) == ["number"])
    }

    @Test(
        "A mistyped argument is an error that names the choices or the mistake",
        arguments: [
            (FetchSpecification(entity: "Buch"), "has no entity \"Buch\""),
            (FetchSpecification(entity: "Book", properties: ["titel"]), "Book has no property \"titel\""),
            (FetchSpecification(entity: "Book", properties: ["title.x"]), "title is a value"),
            (FetchSpecification(entity: "Book", sort: ["tags"]), "tags has many values"),
            (FetchSpecification(entity: "Book", sort: ["title:up"]), "\"up\""),
            (FetchSpecification(entity: "Book", predicate: "title =="), "malformed predicate"),
            (FetchSpecification(entity: "Book", predicate: "titel == 'x'"), "titel"),
            (FetchSpecification(entity: "Book", limit: -1), "negative"),
        ])
    func mistakes(_ specification: FetchSpecification, _ message: String) throws {
        let error = #expect(throws: (any Error).self) { try lines(specification) }
        #expect(error.map { ErrorText.describe($0) }?.contains(message) == true)
    }
}
