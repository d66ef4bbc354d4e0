import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import CoreDataModelSource
import Foundation
import Testing

@Suite("Renaming in models")
struct RenamingTests {
    /// A model in which everything that can mean a name does.
    private func library() throws -> ModelEditor {
        var editor = ModelEditor()
        try editor.edit(
            json: #"""
                {"command": "add", "element": {"kind": "entity", "name": "Item", "elements": [
                    {"kind": "attribute", "name": "name", "set": {"type": "String"}}]}},
                {"command": "add", "element": {"kind": "entity", "name": "Author", "set": {"parent": "Item"}, "elements": [
                    {"kind": "attribute", "name": "home", "set": {"type": "Composite", "composite": "Place"}},
                    {"kind": "attribute", "name": "bookCount", "set": {"type": "Integer 64", "derivation": "books.@count"}}]}},
                {"command": "add", "element": {"kind": "entity", "name": "Book", "set": {
                        "constraints": [["name", "isbn"]], "compoundIndexes": [["isbn", "name"]],
                        "displayName": "author.name"},
                    "elements": [
                        {"kind": "attribute", "name": "isbn", "set": {"type": "String"}},
                        {"kind": "attribute", "name": "folded", "set": {"type": "String", "derivation": "canonical:(author.name)"}},
                        {"kind": "fetchedProperty", "name": "others", "set": {"entity": "Book",
                            "predicate": "author == $FETCH_SOURCE.author AND name != $FETCH_SOURCE.name"}},
                        {"kind": "index", "name": "name", "set": {"predicate": "name != 'name'", "elements": [
                            {"property": "name", "descending": true}, {"expression": "length:(name)", "type": "Integer 64"}]}}]}},
                {"command": "set", "elements": ["Book"], "set": {"parent": "Item"}},
                {"command": "add", "element": {"kind": "entity", "name": "Shop", "elements": [
                    {"kind": "attribute", "name": "name", "set": {"type": "String"}}]}},
                {"command": "add", "element": {"kind": "composite", "name": "Place", "elements": [
                    {"kind": "attribute", "name": "city", "set": {"type": "String"}}]}},
                {"command": "connect", "from": {"entity": "Author", "name": "books", "set": {"toMany": true}},
                    "to": {"entity": "Book", "name": "author"}},
                {"command": "add", "element": {"kind": "fetchRequest", "name": "name", "set": {"entity": "Author", "predicate":
                    "name BEGINSWITH[cd] $name  AND  ANY books.name LIKE \"name\" OR SUBQUERY(books, $b, $b.author.name = 'x').@count > 0 OR home.city == name"}}},
                {"command": "add", "element": {"kind": "fetchRequest", "name": "shops", "set": {"entity": "Shop", "predicate": "name == 'name'"}}},
                {"command": "add", "element": {"kind": "configuration", "name": "Cloud", "set": {"members": ["Author", "Book"]}}},
                {"command": "place", "places": [{"entity": "Book", "x": 1, "y": 2}]}
                """#)
        return editor
    }

    @Test(
        "A property is renamed wherever it is meant, and in no string and no path to another of its name"
    )
    func property() throws {
        var editor = try library()
        try editor.edit(.rename("Item.name", to: "title"))
        let document = editor.document
        let book = editor[entity: "Book"]
        #expect(
            book.uniquenessConstraints == [["title", "isbn"]] && book.compoundIndexes == [["isbn", "title"]])
        #expect(book.spotlightDisplayNameExpression == "author.title")
        #expect(book.attributes.compactMap(\.derivationExpression) == ["canonical:(author.title)"])
        #expect(
            book.fetchedProperties[0].fetchRequest?.predicate
                == "author == $FETCH_SOURCE.author AND title != $FETCH_SOURCE.title")
        #expect(
            book.fetchIndexes[0].name == "name" && book.fetchIndexes[0].partialPredicate == "title != 'name'")
        #expect(
            book.fetchIndexes[0].elements.map { $0.propertyName ?? $0.expression } == [
                "title", "length:(title)",
            ])
        #expect(
            document.fetchRequests.map(\.predicate) == [
                "title BEGINSWITH[cd] $name  AND  ANY books.title LIKE \"name\" OR "
                    + "SUBQUERY(books, $b, $b.author.title = 'x').@count > 0 OR home.city == title",
                "name == 'name'",
            ])
        #expect(document.fetchRequests.map(\.name) == ["name", "shops"])
    }

    @Test("A relationship is renamed in its inverse, in derivations and in key paths")
    func relationship() throws {
        var editor = try library()
        try editor.edit(.rename("Author.books", to: "works"), .rename("Book.author", to: "writer"))
        #expect(editor[entity: "Author"].attributes.compactMap(\.derivationExpression) == ["works.@count"])
        #expect(editor[entity: "Author"].relationships[0].inverseName == "writer")
        #expect(editor[entity: "Book"].relationships[0].inverseName == "works")
        #expect(editor[entity: "Book"].spotlightDisplayNameExpression == "writer.name")
        #expect(
            editor.document.fetchRequests[0].predicate?.contains(
                "ANY works.name LIKE \"name\" OR SUBQUERY(works, $b, $b.writer.name = 'x')") == true)
    }

    @Test("An entity is renamed in parents, destinations, inverses, configurations, requests and the diagram")
    func entity() throws {
        var editor = try library()
        try editor.edit(.rename("Book", to: "Volume"), .rename("Item", to: "Thing"))
        let document = editor.document
        #expect(
            editor[entity: "Author"].parentName == "Thing" && editor[entity: "Volume"].parentName == "Thing")
        let books = editor[entity: "Author"].relationships[0]
        #expect(books.destinationName == "Volume" && books.inverseEntityName == "Volume")
        #expect(document.configurations[0].entityNames == ["Author", "Volume"])
        #expect(editor[entity: "Volume"].fetchedProperties[0].fetchRequest?.entityName == "Volume")
        #expect(document.layout.map { $0.attributes["name"] } == ["Volume"])
        try editor.edit(.rename("Author", to: "Writer"))
        #expect(editor.document.fetchRequests.map(\.entityName) == ["Writer", "Shop"])
    }

    @Test("A composite is renamed in its attributes, and an element of one in key paths")
    func composite() throws {
        var editor = try library()
        try editor.edit(
            .rename("composite:Place", to: "Address"), .rename("composite:Address.city", to: "town"))
        #expect(editor[entity: "Author"].attributes.compactMap(\.compositeName) == ["Address"])
        #expect(editor.document.fetchRequests[0].predicate?.hasSuffix("OR home.town == name") == true)
    }

    @Test("After any rename the linter finds what it found before, under the new name")
    func diagnostics() throws {
        let editor = try library()
        let before = ModelLinter(editor.document).lint().map(\.message)
        for path in [
            "Item", "Author", "Book", "Shop", "Item.name", "Author.home", "Book.isbn", "Author.books",
            "Book.author",
            "Book.others", "composite:Place", "composite:Place.city", "Book.index:name",
            "configuration:Cloud",
        ] {
            var renamed = editor
            let name =
                path.contains(".") && !path.contains("index") || path.hasPrefix("composite:Place.")
                ? "renamed" : "Renamed"
            try renamed.edit(.rename(.path(path), to: name))
            #expect(ModelLinter(renamed.document).lint().map(\.message) == before, "\(path)")
        }
    }

    @Test("There and back again gives equal bytes, whatever is renamed")
    func back() throws {
        let editor = try library()
        for entity in editor.document.entities {
            for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
                var renamed = editor
                try renamed.edit(.rename(.path("\(entity.name).\(name)"), to: "renamed"))
                try renamed.edit(.rename(.path("\(entity.name).renamed"), to: name))
                #expect(renamed.contents == editor.contents, "\(entity.name).\(name)")
            }
        }
    }

    @Test("A new name that is a word of the predicate language is written with its sign")
    func reservedWord() throws {
        var editor = try library()
        try editor.edit(.rename("Shop.name", to: "first"))
        #expect(editor.document.fetchRequests[1].predicate == "#first == 'name'")
        try editor.edit(.rename("Shop.first", to: "last"), .rename("Shop.last", to: "name"))
        #expect(editor.document.fetchRequests[1].predicate == "#name == 'name'")
    }

    @Test("A text that is no predicate stays as it is")
    func malformed() throws {
        var editor = try library()
        try editor.edit(
            .set(["fetchRequest:shops"], [.init("predicate", .string("name == == name"))]),
            .rename("Shop.name", to: "title"))
        #expect(editor.document.fetchRequests[1].predicate == "name == == name")
    }

    @Test("Comments stay beside what is renamed")
    func comments() throws {
        let source = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <!-- of books -->
                <entity name="Book" syncable="YES">
                    <!-- of titles -->
                    <attribute name="title" attributeType="String"/>
                    <!-- the end -->
                </entity>
                <configuration name="Local">
                    <!-- member -->
                    <memberEntity name="Book"/>
                </configuration>
            </model>
            """
        var editor = try ModelEditor(ModelDocument.reading(Data(source.utf8)))
        try editor.edit(.rename("Book.title", to: "heading"), .rename("Book", to: "Volume"))
        let expected = source.replacingOccurrences(of: "Book", with: "Volume")
            .replacingOccurrences(of: "\"title\"", with: "\"heading\"")
        #expect(String(decoding: editor.contents["Model"] ?? Data(), as: UTF8.self) == expected)
    }

    // MARK: Versions

    @Test("What a version before has under the old name gets that as its renaming identifier")
    func renamingIdentifier() throws {
        var editor = try library()
        try editor.perform([.addVersion(name: "Model 2", from: nil), .setCurrentVersion("Model 2")])
        try editor.edit(
            .rename("Book", to: "Volume"), .rename("Volume.isbn", to: "number"),
            .rename("Volume.author", to: "writer"),
            .add(ElementDraft(.attribute, name: "new"), to: "Volume", at: nil),
            .rename("Volume.new", to: "newer"))
        let volume = editor[entity: "Volume"]
        #expect(volume.renamingIdentifier == "Book" && volume.relationships[0].renamingIdentifier == "author")
        #expect(volume.attributes.first { $0.name == "number" }?.renamingIdentifier == "isbn")
        #expect(volume.attributes.first { $0.name == "newer" }?.renamingIdentifier == nil)
        try editor.edit(.rename("Volume", to: "Tome"))
        #expect(editor[entity: "Tome"].renamingIdentifier == "Book")
        try editor.edit(.rename("Tome", to: "Book"))
        #expect(editor[entity: "Book"].renamingIdentifier == nil)
    }

    @Test("In the first version a rename sets no renaming identifier")
    func firstVersion() throws {
        var editor = try library()
        try editor.edit(.rename("Book", to: "Volume"))
        #expect(editor[entity: "Volume"].renamingIdentifier == nil)
    }
}
