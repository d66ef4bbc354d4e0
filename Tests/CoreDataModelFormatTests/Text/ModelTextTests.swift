import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues
import Foundation
import Testing

@Suite("Models as text")
struct ModelTextTests {
    private func read(_ text: String) throws -> ModelPackage {
        try ModelTextReader(file: "model.txt").read(text, name: "Model")
    }

    private func document(_ text: String) throws -> ModelDocument { try read(text).current.document }

    private func xml(_ text: String) throws -> ModelDocument {
        try XMLModelParser(file: "contents").parse(Data(text.utf8)).document
    }

    @Test("What models usually have is short")
    func short() throws {
        let text = """
            Animal abstract
              name string! = "none"
              age int16 was years
              home -> House.animals
              friends ->> Animal.friends cascade

            Dog: Animal
              tricks ->>> Trick
              unique name, age
              index byAge -age where age > 3

            configuration Home: Animal, Dog

            """
        let document = try document(text)
        #expect(document.entities.map(\.name) == ["Animal", "Dog"])
        #expect(document.entities[0].attributes[0].defaultValue == .string("none"))
        #expect(!document.entities[0].attributes[0].isOptional)
        #expect(document.entities[0].relationships[1].inverseEntityName == "Animal")
        #expect(document.entities[1].relationships[0].isOrdered)
        #expect(document.entities[1].fetchIndexes[0].partialPredicate == "age > 3")
        #expect(ModelTextPrinter(document).text == text)
    }

    @Test("A model with every construct is printed as text and read again without loss")
    func everything() throws {
        let document = try xml(everyConstruct)
        let text = ModelTextPrinter(document).text
        #expect(try self.document(text) == document)
        #expect(text.contains("\nevery entity [syncable=YES]\n"))
        let extended = try xml(extraConstructs)
        #expect(try self.document(ModelTextPrinter(extended).text) == extended)
    }

    @Test(
        "Real models, sources and compiled ones, are printed as text and read again without loss",
        .enabled(if: Corpus.isPresent))
    func corpus() throws {
        for path in Corpus.contents {
            let document = try XMLModelParser(file: path).parse(Data(contentsOf: Corpus.url(path))).document
            #expect(try self.document(ModelTextPrinter(document).text) == document, "\(path)")
        }
        for path in Corpus.compiled {
            let document = try CompiledModelReader().read(Data(contentsOf: Corpus.url(path))).document
            #expect(try self.document(ModelTextPrinter(document).text) == document, "\(path)")
        }
    }

    @Test("Documents in which anything is set to anything are printed as text and read again without loss")
    func random() throws {
        for seed in 0..<300 {
            var random = RandomDocument(seed: UInt64(seed))
            let document = random.next()
            let text = ModelTextPrinter(document).text
            #expect(try self.document(text) == document, "seed \(seed):\n\(text)")
        }
    }

    @Test("A text may hold all versions of a model, and says which is current")
    func versions() throws {
        let text = """
            version One

            Book
              title string

            version Two current

            Book
              name string was title

            """
        let package = try read(text)
        #expect(package.versions.map(\.name) == ["One", "Two"])
        #expect(package.currentVersionName == "Two")
        #expect(package.isVersioned)
        #expect(ModelTextPrinter.text(of: package) == text)
        #expect(try !read("Book\n").isVersioned)
    }

    @Test("Comments, empty lines, indentation by any number of spaces and line ends of Windows are read")
    func layout() throws {
        let document = try document(
            "# a model\r\n\r\nBook\r\n    title string\r\n      info note = x\r\n# end")
        #expect(document.entities[0].attributes[0].userInfo == [UserInfoEntry(key: "note", value: "x")])
    }

    @Test("The example of the documentation has no fault and is spelled as it would be printed")
    func example() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let article = try String(
            contentsOf: root.appendingPathComponent(
                "Sources/CoreData/CoreData.docc/Articles/ModelsAsText.md"),
            encoding: .utf8)
        let example = article.components(separatedBy: "```text\n")[1].components(separatedBy: "```")[0]
        let version = try read(example).current
        #expect(version.lint() == [])
        #expect(ModelTextPrinter(version.document).text == example)
    }

    @Test("A damaged text is read or refused, and what is read is printed without loss")
    func damage() throws {
        var random = RandomDocument(seed: 11)
        let text = try ModelTextPrinter(xml(everyConstruct)).text
        var read = 0
        for _ in 0..<1_000 {
            let damaged = random.damaged(text)
            do {
                let document = try document(damaged)
                #expect(try self.document(ModelTextPrinter(document).text) == document, "\(damaged)")
                read += 1
            } catch is ModelFileError {}
        }
        #expect(read > 0 && read < 1_000)
    }

    @Test("The lines of elements are known to the linter")
    func locations() throws {
        let version = try read("Book\n  title string\n  author -> Nobody.books\n").current
        let diagnostics = version.lint().map { $0.line() }
        #expect(diagnostics.contains { $0.hasPrefix("model.txt:3: error: Book.author") }, "\(diagnostics)")
    }

    @Test(
        "A mistake is reported with line, column and what was expected",
        arguments: [
            ("Book\n  title strng", "2:9: expected ->, ->>, ->>> or => and an entity, or a type"),
            ("Book\n  title", "2:8: expected ->, ->>, ->>> or => and an entity, or a type"),
            ("Book\n  pages int16 = many", "2:17: expected a value of the type int16, found many"),
            ("Book\n  pages int16 minimum 3", "2:15: expected one of the words transient, scalar,"),
            ("Book\n  author ->", "2:12: expected the name of the destination entity at the end of the line"),
            ("Book\n  author -> Author delete", "2:20: expected one of the words cascade, deny, noAction,"),
            ("Book\n  a string\n b string", "3:2: expected 2 spaces before a part, as before the others"),
            ("  title string", "1:3: expected no space before an element of the model"),
            ("Book\n    info x\n", "2:11: expected = after the key x at the end of the line"),
            ("Book\n  a string [x", "2:14: expected = after x at the end of the line"),
            ("Book\n  a string [x=1 y", "2:17: expected , or ], found y"),
            ("Book\n  a string = \"x", "2:14: expected a quotation mark that ends the text"),
            ("Book\n  a string = \"\\q\"", "2:16: expected \\, \", n, r, t or u{…} after a backslash"),
            ("Book: ", "1:6: expected the name of the parent entity at the end of the line"),
            ("request all Book", "1:13: expected => and the name of an entity, found Book"),
            ("Book\nversion Two", "2:9: expected the first version before all elements"),
            (
                "every thing [a=b]",
                "1:7: expected one of the words entity, attribute, relationship or fetched"
            ),
        ])
    func mistakes(text: String, message: String) throws {
        let error = try #require(throws: ModelFileError.self) { _ = try read(text) }
        #expect(error.description.hasPrefix("model.txt:\(message)"), "\(error.description)")
    }
}
