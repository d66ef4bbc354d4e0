import CoreDataEditing
import Foundation
import Testing

@Suite("Types of attributes in the editor")
struct TypeTests {
    /// Returns the line of the attribute `moment` after commands.
    private func line(after commands: String) throws -> String {
        var editor = ModelEditor(.empty)
        try editor.edit(
            json: #"""
                {"command": "add", "element": {"kind": "entity", "name": "Visit",
                    "elements": [{"kind": "attribute", "name": "moment", "set": {"type": "String"}}]}},
                """# + commands)
        let lines = editor.document.source.split(separator: "\n")
        return lines.first { $0.contains("moment") }.map { String($0.drop { $0 == " " }) } ?? ""
    }

    private func setting(_ type: String) -> String {
        #"{"command": "set", "elements": ["Visit.moment"], "set": {"type": "\#(type)"}}"#
    }

    @Test(
        "A date and a UUID say that their class uses objects, as Xcode writes them",
        arguments: ["Date", "UUID"])
    func objects(_ type: String) throws {
        #expect(
            try line(after: setting(type))
                == "<attribute name=\"moment\" optional=\"YES\" attributeType=\"\(type)\" "
                + "usesScalarValueType=\"NO\"/>")
    }

    @Test("A date whose author wants a number stays one, and another type says nothing of it")
    func scalar() throws {
        let wanted =
            setting("Date")
            + #", {"command": "set", "elements": ["Visit.moment"], "set": {"scalar": true}}"#
        #expect(try line(after: wanted).contains("usesScalarValueType=\"YES\""))
        #expect(
            try line(after: wanted + ", " + setting("String"))
                == "<attribute name=\"moment\" optional=\"YES\" attributeType=\"String\"/>")
        #expect(
            try line(after: setting("Date") + ", " + setting("Integer 16"))
                == "<attribute name=\"moment\" optional=\"YES\" attributeType=\"Integer 16\"/>")
    }
}
