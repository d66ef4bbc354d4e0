#if Studio
import CoreDataJSON
import Foundation
import Testing

@Suite("Stories of a model with versions, files and pages beside it", .inBrowser, .serialized)
struct ModelFileStories {
    @Test("a new version is made current, and a name changed there leaves its former one behind")
    func versions() async throws {
        try await ModelStory.tell("10 versions") { story in
            let page = story.page
            try await story.runAction("Add version")
            try await page.see("Library 2", in: "dialog input")
            try await page.type("{Enter}")
            try await page.see("current", in: "[role=treeitem][data-name='Library 2']")
            try await page.see("Library 2", in: ".overview h1")
            try await story.select("Book")
            try await story.clickCell("title")
            try await story.type("heading", into: ".inspector input[id^=field-name-]")
            try await page.wait(
                "the former name",
                until: "return document.getElementById('field-renamingIdentifier')?.value === 'title';")
            try await story.save()
            #expect(try story.contents("Library 2").contains("name=\"heading\""))
            #expect(try story.contents("Library 2").contains("elementID=\"title\""))
            #expect(try story.contents() == LibraryFiles.contents)
            let marker = story.folder.appendingPathComponent("Library.xcdatamodeld/.xccurrentversion")
            #expect(
                String(decoding: try Data(contentsOf: marker), as: UTF8.self).contains(
                    "Library 2.xcdatamodel"))

            // What a store of the former version meets.
            try await page.click(".strip button:nth-of-type(3)")
            try await page.see("Migrated in place", in: ".migration")
            try await page.see("heading was title", in: ".migration")
            try await page.see("ZHEADING", in: ".statements")
            try await story.keepPicture("model-migration")
            try await story.clickCell("pages")
            try await story.choose("Date", in: "#field-type")
            try await page.see("incompatible", in: ".obstacles")
            try await page.see("No mapping can be inferred", in: ".migration")
        }
    }

    @Test("a deletion that breaks others says what it breaks, and F8 walks the problems that it leaves")
    func deleting() async throws {
        try await ModelStory.tell("14 deleting") { story in
            let page = story.page
            try await story.select("Book")
            try await page.click("[role=treeitem][data-name='Book']")
            try await page.type("{Delete}")
            try await page.see("Author.books", in: "dialog .breaks")
            try await story.keepPicture("model-deleting")
            try await page.click("dialog button.danger")
            try await page.seeNo("[role=treeitem][data-name='Book']")
            try await page.type("{F8}")
            try await page.see("Author", in: ".element-head h1")
            try await page.see("unknown destination", in: ".problems [aria-current]")
            try await story.keepPicture("model-problems")
            try await page.click("button[aria-label^='Undo']")
            try await page.see("Book", in: "[role=tree]")
        }
    }

    @Test("a file that changes outside is read again, and merged with edits, conflicts listed")
    func changedOutside() async throws {
        try await ModelStory.tell("15 outside") { story in
            let page = story.page
            let file = story.folder.appendingPathComponent(
                "Library.xcdatamodeld/Library.xcdatamodel/contents")
            let theirs = LibraryFiles.contents.replacing("name=\"room\"", with: "name=\"place\"")
            try theirs.write(to: file, atomically: true, encoding: .utf8)
            try await story.select("Shelf")
            try await page.see("place", in: ".member-grid")
            try await story.select("Author")
            try await story.clickCell("name")
            try await story.type("Nobody", into: "#field-default")
            try await page.see("1", in: "button.save .badge")
            try theirs.replacing(
                "<attribute name=\"name\" attributeType=\"String\" defaultValueString=\"\"/>",
                with: "<attribute name=\"name\" attributeType=\"String\" defaultValueString=\"Somebody\"/>"
            ).write(to: file, atomically: true, encoding: .utf8)
            try await page.see("Somebody", in: ".conflicts")
            try await page.see("Nobody", in: ".conflicts")
            try await story.keepPicture("model-conflicts")
            try await story.save()
            #expect(try story.contents().contains("defaultValueString=\"Nobody\""))
            #expect(try story.contents().contains("name=\"place\""))
        }
    }

    @Test("what the editor does not know stays in the file after an edit elsewhere")
    func unknownElement() async throws {
        let prepare = { (folder: URL) throws -> [String] in
            let names = try LibraryFiles.model(in: folder)
            let file = folder.appendingPathComponent("Library.xcdatamodeld/Library.xcdatamodel/contents")
            try LibraryFiles.contents.replacing(
                "<attribute name=\"pages\"",
                with: "<sparkle level=\"3\"/><!-- kept --><attribute name=\"pages\""
            ).write(to: file, atomically: true, encoding: .utf8)
            return names
        }
        try await ModelStory.tell("16 unknown", prepare: prepare) { story in
            try await story.select("Shelf")
            try await story.type("Rack", into: ".inspector input[id^=field-name-]")
            try await story.page.see("Rack", in: "[role=tree]")
            try await story.save()
            let text = try story.contents()
            #expect(text.contains("<sparkle level=\"3\"/><!-- kept -->") && text.contains("name=\"Rack\""))
        }
    }

    @Test("what another page does arrives here, and a change that it overtakes is made on top of it")
    func twoPages() async throws {
        try await ModelStory.tell("17 two pages") { story in
            let page = story.page
            try await story.select("Shelf")
            let other = """
                return fetch("/api/models/m1" + arguments[0], {
                    method: "POST", body: arguments[1],
                    headers: {
                        Authorization: "Bearer " + localStorage.getItem("studio.token"),
                        "Content-Type": "application/json",
                    },
                }).then(response => response.status);
                """
            let renaming = #"[{"command": "rename", "element": "Author", "to": "Writer"}]"#
            #expect(
                try await page.evaluate(
                    other, .string("/commands"), .string(#"{"revision": 0, "commands": \#(renaming)}"#))
                    == .integer(200))
            try await page.see("Writer", in: "[role=tree]")
            #expect(
                try await page.evaluate(
                    other, .string("/commands"), .string(#"{"revision": 0, "commands": \#(renaming)}"#))
                    == .integer(409))

            // The page's own request waits until another page has changed the model.
            func overtake(_ request: String, _ name: String, _ newName: String) async throws {
                try await page.evaluate(
                    """
                    const [request, element, to] = arguments;
                    const send = window.fetch;
                    window.fetch = async (address, options) => {
                        if (!String(address).endsWith(request)) return send(address, options);
                        window.fetch = send;
                        const { revision } = JSON.parse(options.body);
                        const commands = [{ command: "rename", element, to }];
                        const { "Idempotency-Key": _, ...headers } = options.headers;
                        await send("/api/models/m1/commands",
                            { ...options, headers, body: JSON.stringify({ revision, commands }) });
                        return send(address, options);
                    };
                    """, .string(request), .string(name), .string(newName))
            }
            try await overtake("/commands", "Book", "Volume")
            try await story.type("Rack", into: ".inspector input[id^=field-name-]")
            try await page.see("on top of it", in: ".notices")
            for name in ["Rack", "Volume", "Writer"] { try await page.see(name, in: "[role=tree]") }

            // Lists of both are one, and what another page has set is not overwritten unseen.
            try await story.select("Volume")
            try await page.evaluate(
                """
                const send = window.fetch;
                window.overtaking = (set, text) => window.fetch = async (address, options) => {
                    const isMeant = String(address).endsWith("/commands") && options.body.includes(text);
                    if (!isMeant) return send(address, options);
                    window.fetch = send;
                    const { revision } = JSON.parse(options.body);
                    const commands = [{ command: "set", elements: ["Volume"], set }];
                    const { "Idempotency-Key": _, ...headers } = options.headers;
                    await send("/api/models/m1/commands",
                        { ...options, headers, body: JSON.stringify({ revision, commands }) });
                    return send(address, options);
                };
                window.overtaking({ constraints: [["pages"]] }, "");
                """)
            try await story.addRow("Uniqueness constraints", "title")
            for name in ["pages", "title"] {
                try await page.see(name, in: "section[aria-label='Uniqueness constraints'] tbody")
            }
            // The row's name may be on its way still.
            try await page.evaluate("window.overtaking({ class: 'Theirs' }, 'Mine');")
            try await story.type("Mine", into: ".inspector #field-class")
            try await page.see("was set to \"Theirs\" meanwhile", in: ".inspector .field-problem")
            try await page.wait(
                "theirs", until: "return document.querySelector('#field-class').value === 'Theirs';")

            // A step back on top of it would take back another step than is meant.
            try await overtake("/undo", "Volume", "Tome")
            try await page.click(".bar button[aria-label^=Undo]")
            try await page.see("not undone", in: ".notices")
            for name in ["Rack", "Tome", "Writer"] { try await page.see(name, in: "[role=tree]") }
        }
    }
}
#endif
