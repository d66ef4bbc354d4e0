import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import CoreDataModelSource
import Foundation
import Testing

@Suite("The commands that the article on editing models shows")
struct DocumentedCommandTests {
    private static let article: String = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let place = root.appendingPathComponent("Sources/CoreData/CoreData.docc/Articles/EditingModels.md")
        return (try? String(contentsOf: place, encoding: .utf8)) ?? ""
    }()

    private static let examples: [String] = article.components(separatedBy: "```json\n").dropFirst().map {
        $0.components(separatedBy: "```")[0]
    }

    @Test("The examples are read, and carried out one after the other")
    func examples() throws {
        var editor = ModelEditor(named: "Library", .empty)
        for example in Self.examples {
            let commands = try ModelCommand.commands(in: JSONParser.parse(example))
            try editor.perform(commands)
            #expect(try ModelCommand.commands(in: .array(commands.map(\.json))) == commands)
        }
        #expect(editor.state.versions.map(\.name) == ["Library", "Library 2"])
        let diagnostics = ModelLinter(editor.document).lint().filter { $0.severity == .error }
        #expect(diagnostics.isEmpty)
        let pages = editor[entity: "Book"].attributes.first { $0.name == "pageCount" }
        #expect(pages?.renamingIdentifier == "length")
    }

    @Test("There is an example of every command")
    func everyCommand() throws {
        var names: Set<String> = []
        for example in Self.examples {
            guard case .array(let commands) = try JSONParser.parse(example) else { continue }
            names.formUnion(commands.compactMap { $0["command"]?.string })
        }
        #expect(
            names == [
                "add", "remove", "rename", "duplicate", "move", "set", "connect", "setInverse", "setMembers",
                "place",
                "paste", "replaceText", "applyFix", "addVersion", "renameVersion", "removeVersion",
                "setCurrentVersion",
            ])
    }

    @Test("The article lists what can be set of each kind")
    func settings() {
        let rows = ElementKind.allCases.filter { !$0.facets.isEmpty }.map { kind in
            "| `\(kind.rawValue)` | \(kind.facets.map { "`\($0.name)`" }.joined(separator: ", ")) |"
        }
        let table = (["| kind | settings |", "|---|---|"] + rows).joined(separator: "\n")
        #expect(Self.article.contains(table), "the table should be\n\(table)")
    }

    @Test("JSON that is no command is refused with what is wrong and the number of the command")
    func malformed() {
        let mistakes = [
            ("{}", "commands are a list"),
            ("[1]", "command 1: a command has to be an object"),
            (#"[{"command": "fly"}]"#, #"command 1: there is no command "fly""#),
            (#"[{"command": "rename", "element": "Book"}]"#, #"command 1: "rename" needs "to", a text"#),
            (
                #"[{"command": "rename", "element": "Book", "to": "B", "from": "A"}]"#,
                #"command 1: "rename" has no "from""#
            ),
            (
                #"[{"command": "remove", "elements": ["a"]}, {"command": "remove", "elements": []}]"#,
                #"command 2: "remove" needs "elements", a list of paths or IDs of elements"#
            ),
            (
                #"[{"command": "add", "element": {"kind": "thing"}}]"#,
                #"command 1: there is no kind "thing" of elements"#
            ),
            (#"[{"command": "move", "at": 1, "at": 2}]"#, #"command 1: a command has "at" twice"#),
        ]
        for (text, message) in mistakes {
            do {
                _ = try ModelCommand.commands(in: JSONParser.parse(text))
                Issue.record("\(text) was read")
            } catch {
                #expect("\(error)" == message)
            }
        }
    }
}
