import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import Testing

/// Two authors see one revision; the second one's commands come when the first one's are carried out.
@Suite("Commands that another author overtook")
struct OvertakenCommandTests {
    /// Carries out the commands of both authors, given as JSON, and returns the editor.
    private func editor(_ first: String, _ second: String, from start: String = "") throws -> ModelEditor {
        var editor = ModelEditor(try .library())
        if !start.isEmpty { try editor.edit(json: start) }
        let seen = editor.revision
        try editor.edit(json: first)
        try editor.perform(
            ModelCommand.commands(in: JSONParser.parse("[\(second)]")), seeing: editor.revision,
            meantFor: seen)
        return editor
    }

    /// Returns a setting, as JSON, after the commands of both authors.
    private func value(
        _ facet: String, of path: String, _ first: String, _ second: String, from start: String = ""
    ) throws -> String? {
        let version = try editor(first, second, from: start).state.current
        return version.id(of: path).flatMap(version.element)?.value(of: facet)?.line
    }

    /// Returns why the second author's commands are refused; nil if they are carried out.
    private func refusal(_ first: String, _ second: String) throws -> String? {
        do {
            _ = try editor(first, second)
            return nil
        } catch let refusal as Refusal {
            return refusal.reason.description
        }
    }

    private func set(_ element: String, _ facets: String) -> String {
        #"{"command": "set", "elements": ["\#(element)"], "set": {\#(facets)}}"#
    }

    @Test("Lists keep what both added, and lose what either removed")
    func lists() throws {
        #expect(
            try value(
                "constraints", of: "Book",
                set("Book", #""constraints": [["title"], ["author"]]"#),
                set("Book", #""constraints": [["pages"]]"#),
                from: set("Book", #""constraints": [["title"], ["pages"]]"#)) == #"[["author"]]"#)
        #expect(
            try value(
                "members", of: "configuration:Shelf",
                set("configuration:Shelf", #""members": ["Book", "Comic", "Author"]"#),
                set("configuration:Shelf", #""members": ["Comic"]"#)) == #"["Comic","Author"]"#)
        #expect(
            try value(
                "userInfo", of: "Book",
                set("Book", #""userInfo": {"plural": "Volumes", "shelf": "3", "room": "A"}"#),
                set("Book", #""userInfo": {"plural": "Books", "floor": "1"}"#))
                == #"{"plural":"Volumes","room":"A","floor":"1"}"#)
        #expect(
            try value(
                "elements", of: "Book.index:byTitle",
                set("Book.index:byTitle", #""elements": ["title", "pages"]"#),
                set("Book.index:byTitle", #""elements": [{"property": "title", "descending": true}]"#))
                == #"[{"property":"title","descending":true},"pages"]"#)
    }

    @Test("What both changed stays as the first one made it, and the other is told")
    func refusals() throws {
        #expect(
            try refusal(set("Book", #""class": "Volume""#), set("Book", #""class": "Tome""#))
                == #"class of "Book" was set to "Volume" meanwhile"#)
        #expect(
            try refusal(
                set("Book", #""userInfo": {"shelf": "4"}"#), set("Book", #""userInfo": {"shelf": "5"}"#))
                == #"userInfo of "Book" was set to {"shelf":"4"} meanwhile"#)
        #expect(
            try refusal(
                set("Book.index:byTitle", #""elements": ["isbn"]"#),
                set("Book.index:byTitle", #""elements": ["pages"]"#))
                == #"elements of "Book.index:byTitle" was set to ["isbn"] meanwhile"#)
        #expect(
            try refusal(
                #"{"command": "setInverse", "element": "Book.author"}"#,
                set("Book.author", #""inverse": "x""#))
                == #"inverse of "Book.author" was set to null meanwhile"#)
        var editor = ModelEditor(try .library())
        let (seen, book) = (editor.revision, try #require(editor.state.current.id(of: "Book")))
        try editor.edit(.rename("Book", to: "Volume"))
        #expect(throws: Refusal(.overtaken(facet: "name", #""Volume""#, .string("Volume")), command: 0)) {
            try editor.perform(
                [.edit(.rename(.id(book), to: "Tome"), version: nil)], meantFor: seen)
        }
        #expect(editor.document.entities[1].name == "Volume")
    }

    @Test("What both set alike, and what only one of them changed, is set")
    func agreements() throws {
        let alike = set("Book", #""class": "Volume""#)
        #expect(try refusal(alike, alike) == nil)
        let editor = try editor(
            set("Book.title", #""optional": false"#) + "," + set("Book", #""class": "Volume""#),
            set("Book.title", #""hashModifier": "2""#) + "," + set("Book", #""hashModifier": "3""#))
        let book = editor[entity: "Book"]
        #expect(book.className == "Volume" && book.versionHashModifier == "3")
        #expect(!book.attributes[2].isOptional && book.attributes[2].versionHashModifier == "2")
    }

    @Test("Commands for a revision that is long past are refused")
    func longPast() throws {
        var editor = ModelEditor(try .library())
        let seen = editor.revision
        for number in 1...60 { try editor.edit(json: set("Book", #""class": "C\#(number)""#)) }
        #expect(throws: Refusal(.staleRevision(seen: seen, current: editor.revision))) {
            try editor.perform([.edit(.remove(["Author"]), version: nil)], meantFor: seen)
        }
    }
}
