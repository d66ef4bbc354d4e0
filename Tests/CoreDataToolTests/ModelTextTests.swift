import CoreDataModelFormat
import CoreDataModelSource
import CoreDataTool
import Foundation
import Testing

@Suite("Models as text on the command line")
final class ModelTextTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    private let library = """
        version One
        Book class Book codegen class
          title string!

        version Two current
        Book class Book codegen class
          name string! was title
          author -> Author.books
        Author class Author codegen class
          books ->> Book.author cascade
        """

    @Test("A package is made from a text with versions, printed as that text, and is not overwritten")
    func new() throws {
        let package = file("Library.xcdatamodeld")
        let made = try CommandRun(["model", "new", package.path, "--from", "-"], input: library)
        #expect(made.errors == "")
        #expect(made.status == 0)
        let read = try ModelPackage.read(at: package)
        #expect(read.versions.map(\.name) == ["One", "Two"])
        #expect(read.currentVersionName == "Two")
        #expect(
            FileManager.default.fileExists(atPath: package.appendingPathComponent(".xccurrentversion").path))
        #expect(read.versions.flatMap { $0.lint() } == [])

        let printed = try CommandRun(["model", "print", package.path, "--format", "text"])
        let again = file("Again.txt")
        try Data(printed.output.utf8).write(to: again)
        #expect(try ModelPackage.read(at: again).versions.map(\.document) == read.versions.map(\.document))

        let refused = try CommandRun(["model", "new", package.path])
        #expect(refused.status == 2)
        #expect(refused.errors.contains("is there already; nothing was written"))
    }

    @Test("Without a text, an empty model is made")
    func empty() throws {
        let package = file("Empty.xcdatamodeld")
        #expect(try CommandRun(["model", "new", package.path]).status == 0)
        #expect(try ModelPackage.read(at: package).current.document.entities == [])
    }

    @Test("Every command that reads a model reads a text, too")
    func commands() throws {
        let text = file("Library.txt")
        try Data(library.utf8).write(to: text)
        #expect(try CommandRun(["model", "lint", text.path]).status == 0)
        let diff = try CommandRun(["model", "diff", text.path, "--from", "One"])
        #expect(diff.output.contains("> attribute Book.name, which was Book.title"))
        #expect(try CommandRun(["model", "compile", text.path, file("Library.momd").path]).status == 0)
        #expect(try ModelPackage.read(at: file("Library.momd")).currentVersionName == "Two")
        let classes = try CommandRun(["model", "generate", text.path, "--module", "Library"])
        #expect(classes.output.contains("class Author"))

        // Comments would be lost.
        try Data("[]".utf8).write(to: file("commands.json"))
        let edit = try CommandRun(["model", "edit", text.path, "--commands", file("commands.json").path])
        #expect(edit.errors.contains("only an .xcdatamodeld or .xcdatamodel can be edited"))

        try Data("Book\n  title strng".utf8).write(to: text)
        let wrong = try CommandRun(["model", "lint", text.path])
        #expect(wrong.status == 2)
        #expect(
            wrong.errors.contains("Library.txt:2:9: expected ->, ->>, ->>> or => and an entity, or a type"))
    }

    @Test("A model is drawn, or the part of it around an entity")
    func graph() throws {
        let text = file("Library.txt")
        try Data(library.utf8).write(to: text)
        let output = file("Library.svg")
        #expect(try CommandRun(["model", "graph", text.path, "--output", output.path]).status == 0)
        let svg = try String(contentsOf: output, encoding: .utf8)
        #expect(svg.hasPrefix("<svg ") && svg.contains(">Author<"))
        let part = try CommandRun(["model", "graph", text.path, "--entity", "Book", "--neighbours", "0"])
        #expect(part.output.contains(">Book<") && !part.output.contains(">Author<"))
        let wrong = try CommandRun(["model", "graph", text.path, "--entity", "Buch"])
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("no entity \"Buch\"; it has Author, Book"))
    }
}
