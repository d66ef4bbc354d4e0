import CoreDataEditing
import CoreDataModelFormat
import CoreDataTool
import CoreDataValues
import Foundation
import Testing

@Suite("Models from the command line")
struct ModelDiffTests {
    private func changed(_ change: (inout ModelDocument) -> Void) -> ModelDiff {
        var newer = LibraryModel.document
        change(&newer)
        return ModelDiff(from: LibraryModel.document, to: newer)
    }

    @Test("A model has no differences from itself, and its stores fit")
    func same() {
        let diff = changed { _ in }
        #expect(diff.changes.isEmpty)
        #expect(diff.text == "no difference\nStores of one version can be opened with the other.")
    }

    @Test("Added, removed and changed attributes and relationships are listed with their settings")
    func properties() {
        let diff = changed { model in
            model.entities[0].attributes.append(
                AttributeElement(name: "age", type: .integer16, isOptional: true))
            model.entities[0].attributes.removeAll { $0.name == "token" }
            model.entities[1].attributes[1].defaultValue = .integer(1)
            model.entities[1].relationships[0].deleteRule = .deny
        }
        #expect(
            diff.changes.map(\.text) == [
                "+ attribute Author.age: type Integer 16, optional",
                "- attribute Author.token",
                "~ attribute Book.pages: default 0 -> 1",
                "~ relationship Book.author: on delete nullify -> deny",
            ])
        #expect(diff.incompatibleEntities == ["Author"])
        #expect(diff.text.hasSuffix("Stores have to be migrated: the version hashes of Author differ."))
    }

    @Test("An element with a renaming identifier is compared with its predecessor")
    func renaming() {
        let diff = changed { model in
            model.entities[3].name = "Part"
            model.entities[3].renamingIdentifier = "Chapter"
            model.entities[3].attributes[0].name = "heading"
            model.entities[3].attributes[0].renamingIdentifier = "title"
            model.entities[3].attributes[0].isOptional = false
        }
        #expect(diff.changes.contains(.renamed(.entity, from: "Chapter", to: "Part")))
        #expect(diff.changes.contains(.renamed(.attribute, from: "Part.title", to: "Part.heading")))
        #expect(
            diff.changes.contains(
                .changed(.attribute, path: "Part.heading", facet: "optional", from: "yes", to: nil)))
        #expect(!diff.changes.contains { $0.text.hasPrefix("-") || $0.text.hasPrefix("+") })
    }

    @Test("Entities, indexes and configurations are compared; only hashed changes break stores")
    func others() {
        let diff = changed { model in
            model.entities[1].fetchIndexes = [
                FetchIndexElement(name: "byTitle", elements: [.init(propertyName: "title")])
            ]
            model.configurations = [ConfigurationElement(name: "Cloud", entityNames: ["Book", "Author"])]
            model.entities[4].className = nil
        }
        #expect(
            diff.changes.map(\.text) == [
                "~ entity Tag: class Tag -> none", "+ index Book.byTitle: of title",
                "+ configuration Cloud: of Author, Book",
            ])
        #expect(diff.incompatibleEntities == [])
    }

    @Test("Code generation settings are ignored when comparing with a compiled model")
    func code() {
        var source = LibraryModel.document
        source.entities[1].codeGeneration = .class
        source.entities[1].attributes[1].usesScalarType = true
        #expect(ModelDiff(from: LibraryModel.document, to: source).changes.count == 2)
        #expect(ModelDiff(from: LibraryModel.document, to: source, comparesCode: false).changes == [])
    }

    @Test("A source does not differ from its own compilation")
    func compilation() throws {
        let library = try LibraryStore()
        var model = LibraryModel.document
        for index in model.entities.indices {
            model.entities[index].className = ".\(model.entities[index].name)"
        }
        model.entities[0].attributes.append(
            AttributeElement(
                name: "bookCount", type: .integer64, isOptional: true, derivationExpression: "books.@count"))
        model.entities[0].attributes[1].defaultValue = .boolean(true)
        model.entities[1].codeGeneration = .class
        model.entities[1].attributes[1].usesScalarType = true
        model.fetchRequests = [
            FetchRequestElement(
                name: "alive", entityName: "Author", predicate: "isAlive = YES && name != nil")
        ]
        let source = library.folder.appendingPathComponent("Library.xcdatamodeld")
        try LibraryModel.write(model, to: source)
        for (name, module) in [("Plain.mom", nil), ("Module.mom", "Library")] {
            let compiled = library.folder.appendingPathComponent(name)
            try CompiledModelWriter(model, moduleName: module).mom().write(to: compiled)
            let (old, new) = (ModelSource(source), ModelSource(compiled))
            #expect(try ModelDiff(old, nil, to: new, nil).changes.map(\.text) == [], "\(name)")
            #expect(try ModelDiff(new, nil, to: old, nil).changes.map(\.text) == [], "\(name)")
            model.entities[2].attributes[0].isOptional = false
            try LibraryModel.write(model, to: source)
            #expect(
                try ModelDiff(old, nil, to: new, nil).changes.map(\.text)
                    == ["~ attribute Novel.genre: optional no -> yes"], "\(name)")
            model.entities[2].attributes[0].isOptional = true
            try LibraryModel.write(model, to: source)
        }
    }

    @Test("An element whose renaming identifier is its own name is not printed as renamed")
    func renamedFromItself() throws {
        var model = LibraryModel.document
        model.entities[3].renamingIdentifier = "Chapter"
        model.entities[3].attributes[0].renamingIdentifier = "title"
        model.entities[3].relationships[0].renamingIdentifier = "book"
        let text = try ModelListing(model).text(entities: ["Chapter"])
        #expect(try text == ModelListing(LibraryModel.document).text(entities: ["Chapter"]))
        model.entities[3].attributes[0].renamingIdentifier = "heading"
        #expect(try ModelListing(model).text(entities: ["Chapter"]).contains("renamed from heading"))
    }

    @Test("A model is printed in words, entity by entity")
    func text() throws {
        let text = try ModelListing(LibraryModel.document).text(entities: ["Chapter"])
        #expect(
            text == """
                Chapter: class Chapter
                  attributes
                    title  String, optional
                  relationships
                    book  to Book, inverse chapters, on delete nullify
                """)
        #expect(throws: ToolError.self) { try ModelListing(LibraryModel.document).text(entities: ["Buch"]) }
    }

    @Test("A store's model can be written as a source or as an equal compiled model")
    func compile() throws {
        let library = try LibraryStore()
        let source = library.folder.appendingPathComponent("Library.xcdatamodeld")
        try ModelCompilation(ModelSource(library.url)).write(to: source)
        let compiled = library.folder.appendingPathComponent("Library.momd")
        try ModelCompilation(ModelSource(source)).write(to: compiled)
        let diff = try ModelDiff(
            from: ModelSource(library.url).document(), to: ModelSource(compiled).document())
        #expect(diff.changes.map(\.text) == [])
        #expect(throws: ToolError.self) {
            try ModelCompilation(ModelSource(source)).write(
                to: library.folder.appendingPathComponent("x.txt"))
        }
        #expect(throws: ToolError.self) { try ModelSource(source).document(of: "Library 7") }
    }

    @Test("A store without a cached model is read with a model file, or without its data")
    func modelFile() throws {
        let library = try LibraryStore()
        try library.damage("DROP TABLE Z_MODELCACHE")
        let without = try OpenedStore(at: library.url)
        #expect(without.model == nil)
        #expect(throws: ToolError.self) { try without.requiredModel() }
        #expect(try StoreSummary(of: without).entities.first { $0.name == "Book" }?.rowCount == 2)

        let file = library.folder.appendingPathComponent("Library.mom")
        try LibraryModel.write(to: file)
        let with = try OpenedStore(at: library.url, model: file)
        #expect(try StoreFetch(FetchSpecification(entity: "Book"), from: with).count() == 3)

        var other = LibraryModel.document
        other.entities[0].attributes.removeLast()
        try LibraryModel.write(other, to: file)
        let error = #expect(throws: ToolError.self) { try OpenedStore(at: library.url, model: file) }
        #expect(error?.description.contains("differs in Author") == true)
    }

    @Test("A mapping model is compiled with models given or found near it, and is only compiled")
    func compileMapping() throws {
        let library = try LibraryStore()
        let models = library.folder.appendingPathComponent("Models/Library.xcdatamodeld")
        try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
        try ModelCompilation(ModelSource(library.url)).write(to: models)
        let mapping = library.folder.appendingPathComponent("Same.xcmappingmodel")
        try FileManager.default.createDirectory(at: mapping, withIntermediateDirectories: true)
        let path = "Library.xcdatamodeld/Library.xcdatamodel"
        let text = """
            <database>
                <object type="XDDEVMAPPINGMODEL" id="z1">
                    <attribute name="sourcemodelpath" type="string">\(path)</attribute>
                    <attribute name="destinationmodelpath" type="string">\(path)</attribute>
                    <relationship name="entitymappings" idrefs="z2"></relationship>
                </object>
                <object type="XDDEVENTITYMAPPING" id="z2">
                    <attribute name="sourcename" type="string">Book</attribute>
                    <attribute name="destinationname" type="string">Book</attribute>
                    <attribute name="note" type="string">?</attribute>
                </object>
            </database>
            """
        try Data(text.utf8).write(to: mapping.appendingPathComponent("xcmapping.xml"))
        #expect(throws: ModelFileError.self) { try MappingCompilation(of: mapping, models: []) }
        let compilation = try MappingCompilation(of: mapping, models: [models])
        #expect(compilation.warnings.count == 1)
        #expect(
            compilation.warnings.first?.contains("xcmapping.xml:7: warning: the attribute \"note\"") == true)
        let compiled = library.folder.appendingPathComponent("Same.cdm")
        try compilation.write(to: compiled)
        #expect(try CompiledMappingReader().read(at: compiled).entities.map(\.name) == ["BookToBook"])
        #expect(throws: ToolError.self) {
            try compilation.write(to: library.folder.appendingPathComponent("Same.momd"))
        }
    }

    @Test("Mistakes in a model are printed like compiler errors")
    func lint() throws {
        let library = try LibraryStore()
        var document = LibraryModel.document
        document.entities[0].relationships[0].destinationName = "Buch"
        let source = library.folder.appendingPathComponent("Library.xcdatamodeld")
        try LibraryModel.write(document, to: source)
        let report = try LintReport(ModelSource(source), named: "Library")
        #expect(report.hasErrors)
        #expect(report.lines.contains { $0.contains("Library.xcdatamodel/contents:") && $0.contains("Buch") })
        #expect(try !LintReport(ModelSource(library.url), named: "Library").hasErrors)
    }

    @Test("Classes are generated as the model asks, or for every entity in one style")
    func classes() throws {
        let asked = try ClassGeneration(LibraryModel.document, module: "Library").text()
        #expect(!asked.contains("class Book"))
        let all = try ClassGeneration(LibraryModel.document, module: "Library", style: .class).text()
        #expect(all.contains("class Novel: Book {"))
        #expect(all.contains("@NSManaged public var title: String?") || all.contains("var title: String?"))
        let error = #expect(throws: ToolError.self) {
            try ClassGeneration(LibraryModel.document, module: "Library", style: .category).text()
        }
        #expect(error?.description.contains("class 'Book' is declared nowhere") == true)
        let sources = LibraryModel.document.entities.map { entity in
            (
                entity.name + ".swift",
                "import CoreData\nclass \(entity.name): \(entity.parentName ?? "NSManagedObject") {}"
            )
        }
        let extensions = try ClassGeneration(LibraryModel.document, module: "Library", style: .category)
            .text(with: Dictionary(uniqueKeysWithValues: sources))
        #expect(extensions.contains("extension Book {"))
        let unreadable = #expect(throws: ToolError.self) {
            try ClassGeneration(LibraryModel.document, module: "Library", style: .category)
                .text(with: ["Book.swift": "import CoreData\nclass Book {"])
        }
        #expect(unreadable?.description == "Book.swift:2:12: '{' is never closed")
    }
}
