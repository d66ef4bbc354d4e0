import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues
import Foundation
import Testing

@Suite("The model editor")
struct ModelEditorTests {
    private func library() throws -> ModelEditor {
        var editor = ModelEditor(named: "Library", .empty)
        try editor.edit(
            json: """
                {"command": "add", "element": {"kind": "entity", "name": "Author"}},
                {"command": "add", "element": {"kind": "entity", "name": "Book",
                    "elements": [{"kind": "attribute", "name": "title", "set": {"type": "String"}}]}},
                {"command": "connect", "from": {"entity": "Author", "set": {"toMany": true}}, "to": {"entity": "Book"}}
                """)
        return editor
    }

    // MARK: Steps

    @Test("A list of commands is one step, which undo takes back and redo brings back")
    func steps() throws {
        var editor = try library()
        #expect(editor.steps.map(\.title) == ["Add entity Author and 2 more"])
        let after = editor.contents
        try editor.undo()
        #expect(editor.document.entities.isEmpty && editor.nextStep != nil)
        try editor.redo()
        #expect(editor.contents == after && editor.nextStep == nil)
        #expect(throws: Refusal(.nothingToRedo)) { try editor.redo() }
    }

    @Test("If one of several commands is refused, none is carried out, and the refusal has its number")
    func refusal() throws {
        var editor = try library()
        let before = editor
        #expect(throws: Refusal(.nameTaken("Book"), command: 1)) {
            try editor.edit(.rename("Book.title", to: "heading"), .rename("Author", to: "Book"))
        }
        #expect(
            editor.state == before.state && editor.revision == before.revision
                && editor.cursor == before.cursor)
        let refusal = Refusal(.nameTaken("Book"), command: 1)
        #expect(refusal.description == "command 2: the name \"Book\" is taken")
    }

    @Test("Commands, undo and redo for an older revision are refused by a case of their own")
    func staleRevision() throws {
        var editor = try library()
        let seen = editor.revision
        try editor.perform([.edit(.rename("Book", to: "Volume"), version: nil)], seeing: seen)
        let stale = Refusal(.staleRevision(seen: seen, current: seen + 1))
        #expect(throws: stale) {
            try editor.perform([.edit(.remove(["Author"]), version: nil)], seeing: seen)
        }
        #expect(throws: stale) { try editor.undo(seeing: seen) }
        try editor.undo(seeing: seen + 1)
        #expect(editor.revision == seen + 2)
    }

    @Test("Steps with the same key are undone together, unless something came between them")
    func merging() throws {
        var editor = try library()
        let key = ModelEditor.MergeKey("name of Book")
        let before = editor.state
        for name in ["B", "Bo", "Boo"] {
            let book = editor.document.entities[1].name
            try editor.perform([.edit(.rename(.path(book), to: name), version: nil)], merging: key)
        }
        #expect(editor.steps.count == 2)
        try editor.undo()
        #expect(editor.state == before)
        try editor.redo()
        try editor.perform([.edit(.rename("Author", to: "Writer"), version: nil)])
        try editor.perform([.edit(.rename("Boo", to: "Book"), version: nil)], merging: key)
        #expect(editor.steps.count == 4)
    }

    @Test("A command that changes nothing is no step")
    func nothing() throws {
        var editor = try library()
        let revision = editor.revision
        let outcome = try editor.edit(
            .rename("Book", to: "Book"), .set(["Book.title"], [.init("type", .string("String"))]))
        #expect(editor.steps.count == 1 && outcome.revision == revision && outcome.touched.isEmpty)
    }

    @Test("A thousand steps are taken back to the beginning, as many as fit a model of its size")
    func manySteps() throws {
        var editor = try library()
        for number in 1...1000 {
            try editor.edit(.set(["Book"], [.init("hashModifier", .string("\(number)"))]))
        }
        while editor.cursor > 0 { try editor.undo() }
        #expect(editor.document == .empty)
    }

    @Test("Of a model that is too large for more, the oldest of more than 500 steps are forgotten")
    func cap() throws {
        var editor = try ModelEditor(library().package, mostEntities: 1000)
        for number in 1...501 {
            try editor.edit(.set(["Book"], [.init("hashModifier", .string("\(number)"))]))
        }
        #expect(editor.steps.count == 500 && editor.cursor == 500)
        while editor.cursor > 0 { try editor.undo() }
        #expect(editor[entity: "Book"].versionHashModifier == "1")
    }

    // MARK: Elements

    @Test("An element keeps its ID through renames and moves, and is found by it where two have its name")
    func ids() throws {
        var editor = try library()
        let id = try #require(editor.state.current.id(of: "Book.title"))
        try editor.edit(
            .rename("Book", to: "Volume"), .rename(.id(id), to: "heading"),
            .add(ElementDraft(.attribute, name: "a"), to: "Volume", at: 0))
        #expect(editor.state.current.path(of: id) == "Volume.heading")
        let outcome = try editor.edit(.remove([.id(id)]))
        #expect(outcome.touched == [id] && editor.state.current.element(id) == nil)
        try editor.undo()
        #expect(editor.state.current.path(of: id) == "Volume.heading")

        var document = ModelDocument.empty
        document.entities = [EntityElement(name: "Twin"), EntityElement(name: "Twin", isAbstract: true)]
        var twins = ModelEditor(document)
        let second = twins.state.current.id(at: .element(.entity, 1))
        try twins.edit(.rename(.id(second), to: "Other"))
        #expect(twins.document.entities.map(\.name) == ["Twin", "Other"])
    }

    @Test("An outcome has the diagnostics of the versions that changed, and what was touched")
    func outcome() throws {
        var editor = try library()
        let outcome = try editor.edit(.rename("Book", to: "book"))
        #expect(outcome.diagnostics["Library"]?.map(\.elementPath) == ["book"])
        #expect(outcome.touched == [editor.state.current.id(of: "book")])
    }

    @Test("A new element goes where the order of names has it, and last where there is no such order")
    func position() throws {
        var editor = try library()
        try editor.edit(.add(ElementDraft(.entity, name: "Atlas"), to: "", at: nil))
        #expect(editor.document.entities.map(\.name) == ["Atlas", "Author", "Book"])
        try editor.edit(.move("Book", to: 0), .add(ElementDraft(.entity, name: "Bank"), to: "", at: nil))
        #expect(editor.document.entities.map(\.name) == ["Book", "Atlas", "Author", "Bank"])
        try editor.edit(
            .add(ElementDraft(.entity), to: "", at: 1), .add(ElementDraft(.entity), to: "", at: nil))
        #expect(
            editor.document.entities.map(\.name) == ["Book", "Entity", "Atlas", "Author", "Bank", "Entity1"])
        #expect(editor.refusal(of: .add(ElementDraft(.entity), to: "", at: 9)) == .badPosition(9))
    }

    @Test(
        "A new entity has a generated class, which is renamed and copied with it; one of another name stays")
    func generatedClass() throws {
        var editor = try library()
        try editor.edit(.rename("Book", to: "Volume"), .duplicate(["Volume"]))
        #expect(
            editor[entity: "Volume"].className == "Volume" && editor[entity: "Volume1"].className == "Volume1"
        )
        try editor.edit(.set(["Volume"], [.init("class", .string("Tome"))]), .rename("Volume", to: "Book"))
        #expect(editor[entity: "Book"].className == "Tome")
    }

    @Test("A copy of an entity has no inverses and no renaming identifier, which its original keeps")
    func copies() throws {
        var editor = try library()
        try editor.edit(
            .set(["Book", "Book.title"], [.init("renamingIdentifier", .string("Old"))]), .duplicate(["Book"]))
        let copy = editor[entity: "Book1"]
        #expect(copy.renamingIdentifier == nil && copy.relationships.map(\.inverseName) == [nil])
        #expect(editor[entity: "Book"].relationships.map(\.inverseName) == ["books"])
    }

    // MARK: Settings

    @Test("Values of another type, unknown settings and texts that no file can hold are refused")
    func values() throws {
        let editor = try library()
        func refusal(_ path: ElementAddress, _ facet: String, _ value: JSONValue) -> Refusal.Reason? {
            editor.refusal(of: .set([path], [.init(facet, value)]))
        }
        #expect(
            refusal("Book.title", "optional", .string("YES"))
                == .unfit(facet: "optional", expected: "true or false"))
        #expect(refusal("Book.title", "toMany", .boolean(true)) == .unknownFacet("toMany", .attribute))
        #expect(
            refusal("Book.title", "hashModifier", .string("\u{1}")) == .illegalText(facet: "hashModifier"))
        #expect(refusal("Book", "parent", .string("Book")) == .inheritanceCycle("Book"))
        #expect(refusal("Shelf", "abstract", .boolean(true)) == .unknownElement("Shelf"))
        #expect(
            refusal("Book.title", "color", .null)?.description.hasPrefix(
                "an attribute has no setting \"color\"; it has type")
                == true)
    }

    @Test("Another type keeps a default and limits that it can hold, and drops others")
    func types() throws {
        var editor = ModelEditor()
        try editor.edit(
            json: """
                {"command": "add", "element": {"kind": "entity", "name": "Book", "elements": [
                    {"kind": "attribute", "name": "pages", "set":
                        {"type": "Integer 16", "default": 12, "minimum": 1, "maximum": 900}}]}},
                {"command": "set", "elements": ["Book.pages"], "set": {"type": "Double"}}
                """)
        var pages: AttributeElement { editor[entity: "Book"].attributes[0] }
        #expect(
            [pages.defaultValue, pages.minimum, pages.maximum] == [.double(12), .double(1), .double(900)])
        try editor.edit(.set(["Book.pages"], [.init("type", .string("String"))]))
        #expect(pages.defaultValue == .string("12.0") && pages.minimum == .null && pages.maximum == .null)
        try editor.edit(.set(["Book.pages"], [.init("type", .string("UUID"))]))
        #expect(pages.defaultValue == .null)
    }

    @Test("Every setting of every kind is read as it was set")
    func facets() throws {
        for kind in ElementKind.allCases where kind != .model {
            for facet in kind.facets {
                let values: [JSONValue] =
                    switch facet.type {
                    case .flag: [.boolean(true), .boolean(false)]
                    case .number: [.integer(3)]
                    case .text: [.string("text")]
                    case .choice(let words): words.map { .string($0) }
                    case .value: [.string("7")]
                    case .names: [.array([.string("a"), .string("b")])]
                    case .lists: [.array([.array([.string("a"), .string("b")]), .array([.string("c")])])]
                    case .entries: [.object([.init("a", .string("1")), .init("b", .string(""))])]
                    case .indexElements:
                        [
                            .array([
                                .string("a"),
                                .object([
                                    .init("property", .string("b")), .init("descending", .boolean(true)),
                                ]),
                                .object([
                                    .init("expression", .string("a.b")), .init("type", .string("Double")),
                                ]),
                            ])
                        ]
                    }
                for value in values {
                    var editor = ModelEditor()
                    let isProperty = ElementKind.entity.members.contains(kind)
                    let type: [JSONValue.Member] =
                        kind == .attribute ? [.init("type", .string("Integer 16"))] : []
                    try editor.edit(.add(ElementDraft(.entity, name: "Owner"), to: "", at: nil))
                    try editor.edit(
                        .add(ElementDraft(kind, name: "x", type), to: isProperty ? "Owner" : "", at: nil))
                    let place: ElementPlace =
                        isProperty
                        ? .member(kind, 0, of: .entity, 0) : .element(kind, kind == .entity ? 1 : 0)
                    let id = editor.state.current.id(at: place)
                    try editor.edit(.set([.id(id)], [.init(facet.name, value)]))
                    #expect(
                        editor.state.current.element(id)?.value(of: facet.name) == value,
                        "\(kind) \(facet.name)")
                    let read = try ModelDocument.reading(ModelWriter(editor.document).contents())
                    #expect(read == editor.document, "\(kind) \(facet.name)")
                }
            }
        }
    }

    // MARK: Relationships and lists

    @Test("Setting an inverse is mutual, and leaves the former inverses without one")
    func inverses() throws {
        var editor = try library()
        try editor.edit(
            .add(
                ElementDraft(.relationship, name: "editor", [.init("destination", .string("Author"))]),
                to: "Book", at: nil),
            .setInverse("Author.books", "Book.editor"))
        let book = editor[entity: "Book"]
        #expect(book.relationships.map(\.name) == ["author", "editor"])
        #expect(book.relationships.map(\.inverseName) == [nil, "books"])
        #expect(editor[entity: "Author"].relationships[0].inverseName == "editor")
        try editor.edit(.setInverse("Book.editor", nil))
        #expect(editor[entity: "Author"].relationships[0].inverseName == nil)
        #expect(
            editor.refusal(of: .setInverse("Book.title", nil))
                == .wrongKind("Book.title", expected: "relationship"))
    }

    @Test("A relationship of an entity to itself can be its own inverse, or have another one")
    func ownInverse() throws {
        var editor = try library()
        try editor.edit(
            .connect(RelationshipEnd("Book", name: "similar"), RelationshipEnd("Book", name: "similar")),
            .connect(RelationshipEnd("Book", name: "sequel"), RelationshipEnd("Book", name: "prequel")))
        let inverses = editor[entity: "Book"].relationships.map { "\($0.name) \($0.inverseName ?? "")" }
        #expect(inverses == ["author books", "prequel sequel", "sequel prequel", "similar similar"])
    }

    @Test("Members are added to lists and removed from them; those that are not there are refused")
    func members() throws {
        var editor = try library()
        try editor.edit(
            .add(ElementDraft(.configuration, name: "Cloud"), to: "", at: nil),
            .setMembers(
                "configuration:Cloud", facet: "members", add: [.string("Book"), .string("Book")], remove: []),
            .setMembers(
                "Book", facet: "userInfo",
                add: [.object([.init("a", .string("1")), .init("b", .string("2"))])], remove: []),
            .setMembers(
                "Book", facet: "userInfo", add: [.object([.init("b", .string("3"))])], remove: [.string("a")]),
            .setMembers("Book", facet: "constraints", add: [.array([.string("title")])], remove: []))
        #expect(editor.document.configurations[0].entityNames == ["Book"])
        #expect(editor[entity: "Book"].userInfo == [UserInfoEntry(key: "b", value: "3")])
        #expect(editor[entity: "Book"].uniquenessConstraints == [["title"]])
        #expect(
            editor.refusal(
                of: .setMembers("configuration:Cloud", facet: "members", add: [], remove: [.string("Tag")]))
                == .unknownMember(facet: "members", .string("Tag")))
        #expect(
            editor.refusal(of: .setMembers("Book", facet: "abstract", add: [], remove: []))
                == .noMembers(facet: "abstract"))
    }

    // MARK: Diagram, versions, text

    @Test("A moved box changes only its coordinates, and goes with its entity")
    func positions() throws {
        var editor = try library()
        try editor.edit(
            .place([EntityPosition("Book", x: 10, y: -20), EntityPosition("Author", x: 0, y: 0)]))
        #expect(editor.document.layout.map { $0.attributes["name"] } == ["Author", "Book"])
        let size = ["width": "128", "height": "75"]
        #expect(
            editor.document.layout[1].attributes
                == ["name": "Book", "positionX": "10", "positionY": "-20"].merging(size) { one, _ in one })
        try editor.edit(.rename("Book", to: "Volume"), .place([EntityPosition("Volume", x: 11, y: -20)]))
        #expect(editor.document.layout[1].attributes["name"] == "Volume")
        #expect(editor.document.layout[1].attributes["positionX"] == "11")
        try editor.edit(.remove(["Volume"]))
        #expect(editor.document.layout.map { $0.attributes["name"] } == ["Author"])
    }

    @Test("Versions are added as copies, renamed and removed, but not the current one")
    func versions() throws {
        var editor = try library()
        try editor.perform([
            .addVersion(name: "Library 10", from: nil), .addVersion(name: "Library 2", from: "Library"),
            .setCurrentVersion("Library 10"), .removeVersion("Library"),
            .renameVersion("Library 10", to: "Library 11"),
        ])
        #expect(editor.state.versions.map(\.name) == ["Library 2", "Library 11"])
        #expect(editor.state.currentVersionName == "Library 11")
        #expect(try editor.package.versions.count == 2)
        func refusal(_ command: ModelCommand) -> Refusal.Reason? {
            var copy = editor
            do throws(Refusal) { try copy.perform([command]) } catch { return error.reason }
            return nil
        }
        #expect(refusal(.removeVersion("Library 11")) == .currentVersion("Library 11"))
        #expect(refusal(.addVersion(name: "a/b", from: nil)) == .illegalVersionName("a/b"))
        #expect(refusal(.addVersion(name: "Library 2", from: nil)) == .nameTaken("Library 2"))
        #expect(refusal(.setCurrentVersion("Library")) == .unknownVersion("Library"))
        var single = ModelEditor(named: "Library", .empty, isVersioned: false)
        #expect(throws: Refusal(.singleVersion, command: 0)) {
            try single.perform([.addVersion(name: "Library 2", from: nil)])
        }
    }

    @Test("The text of another file replaces a version; elements whose paths stay keep their IDs")
    func text() throws {
        var editor = try library()
        let id = try #require(editor.state.current.id(of: "Book.title"))
        let other = """
            <model><entity name="Zebra"/><entity name="Book"><attribute name="isbn"/><attribute name="title"/></entity></model>
            """
        try editor.edit(.replaceText(other))
        #expect(editor.document.entities.map(\.name) == ["Zebra", "Book"])
        #expect(editor.state.current.path(of: id) == "Book.title")
        guard case .unreadableText? = editor.refusal(of: .replaceText("<model>")) else {
            Issue.record("a malformed text was accepted")
            return
        }
    }

    @Test("A model beyond what a file may describe is refused")
    func bounds() throws {
        var editor = ModelEditor()
        try editor.edit(.add(ElementDraft(.entity, name: "E0"), to: "", at: nil))
        #expect(throws: Refusal.self) {
            for number in 1...200 {
                let parent = JSONValue.Member("parent", .string("E\(number - 1)"))
                try editor.edit(.add(ElementDraft(.entity, name: "E\(number)", [parent]), to: "", at: nil))
            }
        }
        #expect(editor.document.entities.count == 100)
    }
}
