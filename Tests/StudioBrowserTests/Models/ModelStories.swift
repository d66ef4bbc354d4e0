#if Studio
import CoreDataJSON
import Foundation
import Testing

@Suite("Stories of the model's page", .inBrowser, .serialized)
struct ModelStories {
    @Test("a model that is opened and saved keeps every byte")
    func untouched() async throws {
        try await ModelStory.tell("1 untouched") { story in
            let before = story.files
            for entity in ["Author", "Book", "Shelf"] { try await story.page.see(entity, in: "[role=tree]") }
            try await story.page.wait("the title", until: "return document.title.includes('Library');")
            try await story.page.type("{Ctrl+s}")
            try await story.page.see("Nothing to save", in: "[role=status]")
            #expect(story.files == before)
        }
    }

    @Test("a type is chosen by the letters that it begins with, all of them")
    func typing() async throws {
        try await ModelStory.tell("2 typing") { story in
            let page = story.page
            try await story.select("Book")
            for (word, type) in [("date", "Date"), ("Decim", "Decimal"), ("integer 64", "Integer 64")] {
                try await story.clickCell("title", 1)
                try await page.type("\(word){Enter}")
                try await page.see(type, in: try await story.cell("title", 1))
            }
            try await story.save()
            #expect(try story.contents().contains("<attribute name=\"title\" attributeType=\"Integer 64\""))
        }
    }

    @Test("an entity with an attribute is added, typed and saved as its file says it")
    func adding() async throws {
        try await ModelStory.tell("2 adding") { story in
            let page = story.page
            try await page.type("{Alt+n}")
            try await page.see("Entity", in: ".element-head h1")
            try await story.type("Publisher", into: ".inspector input[id^=field-name-]")
            try await page.see("Publisher", in: ".element-head h1")
            try await page.click("section[aria-label=Attributes] .add button")
            try await page.wait(
                "the name is edited", until: "return document.activeElement.closest('td.edited') !== null;")
            try await page.type("founded{Tab}")
            try await story.clickCell("founded", 1)
            try await story.choose("Date", in: "#field-type")
            try await page.see("Date", in: ".member-grid")
            try await story.keepPicture("model-adding")
            try await story.save()
            let text = try story.contents()
            #expect(
                text.contains(
                    """
                        <entity name="Publisher" representedClassName="Publisher" syncable="YES" codeGenerationType="class">
                            <attribute name="founded" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
                        </entity>
                    """), "\(text)")
            let problems = try await page.count(".strip-button.error")
            #expect(problems == 0)
        }
    }

    @Test("the inspector tells an entity's hash as it was and as it is, and whether stores migrate")
    func hashes() async throws {
        try await ModelStory.tell("11 hashes") { story in
            let page = story.page
            try await story.select("Book")
            try await page.see("=", in: "#of-Hash")
            try await page.seeNo("[id='of-Migration needed']")
            let hash = try await page.evaluate("return document.querySelector('#of-Hash').innerText;")
            try await story.addRow("Attributes", "edition")
            try await story.select("Book")
            try await page.see("yes", in: "[id='of-Migration needed']")
            let former = try await page.evaluate(
                "return document.getElementById('of-Hash (saved)').innerText;")
            #expect(former == hash)
            #expect(
                try await page.evaluate("return document.querySelector('#of-Hash').innerText;") != hash)
            try await story.keepPicture("model-hashes")
            #expect(try await page.faintTextsInBothColours() == [.array([]), .array([])])
            try await story.select("Author")
            try await page.see("no", in: "[id='of-Migration needed']")
        }
    }

    @Test("what names a renamed entity follows, and one undo takes all of it back")
    func renaming() async throws {
        try await ModelStory.tell("3 renaming") { story in
            let page = story.page
            let before = try story.contents()
            try await story.select("Author")
            try await story.type("Writer", into: ".inspector input[id^=field-name-]")
            try await page.see("Writer", in: "[role=tree]")
            try await story.save()
            let text = try story.contents()
            #expect(text.contains("destinationEntity=\"Writer\"") && !text.contains("\"Author\""))
            try await page.click("button[aria-label^='Undo']")
            try await page.see("Author", in: "[role=tree]")
            try await story.save()
            #expect(try story.contents() == before)
        }
    }

    @Test("an illegal name is told under the field at once, and the word goes with a good name")
    func illegalName() async throws {
        try await ModelStory.tell("4 illegal name") { story in
            let page = story.page
            try await story.select("Book")
            try await page.click(".inspector input[id^=field-name-]")
            try await page.type("{Ctrl+a}2 books")
            try await page.see("begins with a letter", in: ".inspector .field-problem")
            #expect(
                try await page.evaluate(
                    "return document.activeElement.getAttribute('aria-invalid');") == .string("true"))
            try await page.type("{Ctrl+a}Author")
            try await page.see("is taken", in: ".inspector .field-problem")
            try await page.type("{Ctrl+a}Volume")
            try await page.seeNo(".inspector .field-problem")
            try await page.type("{Enter}")
            try await page.see("Volume", in: "[role=tree]")
            #expect(try await page.count("dialog[open]") == 0)
        }
    }

    @Test("a setting that differs among selected attributes is mixed, and is set for all as one step")
    func mixed() async throws {
        try await ModelStory.tell("5 mixed") { story in
            let page = story.page
            try await story.select("Author")
            try await story.clickCell("born")
            try await page.type("{Shift+ArrowDown}")
            try await page.see("2 attributes", in: ".inspector")
            try await page.see("mixed", in: ".inspector .setting.flag")
            try await story.keepPicture("model-mixed")
            #expect(
                try await page.evaluate("return document.getElementById('field-optional').indeterminate;")
                    == .boolean(true))
            try await page.click("#field-optional")
            try await page.wait(
                "both are optional",
                until: """
                    return document.getElementById('field-optional').checked
                        && !document.getElementById('field-optional').indeterminate;
                    """)
            // The box is checked by the click, before the model is another.
            try await page.see("1", in: ".bar .save")
            try await story.save()
            #expect(try story.contents().contains("<attribute name=\"name\" optional=\"YES\""))
            try await page.click("button[aria-label^='Undo']")
            try await page.wait(
                "one step", until: "return document.querySelector(\"button[aria-label='Undo']\")?.disabled;")
        }
    }
}
#endif
