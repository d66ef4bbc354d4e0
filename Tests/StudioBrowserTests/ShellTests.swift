#if Studio
import CoreDataJSON
import Foundation
import Testing

@Suite("Stories of the shell", .inBrowser, .serialized)
struct ShellTests {
    @Test("the page opens by its link, lists what is open, and stays signed in when it is loaded again")
    func opening() async throws {
        try await BrowserStory.tell("opening", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await page.see("Library", in: ".rail")
            try await story.keepPicture("start")
            // The code is gone from the address, and was good once.
            #expect(try await page.evaluate("return location.hash.includes('code');") == .boolean(false))
            try await page.open(try await page.evaluate("return location.origin + '/';").string ?? "")
            try await page.see("Library", in: ".rail")
            #expect(try await page.console().filter { $0.hasPrefix("SEVERE") } == [])
        }
    }

    @Test("files that cannot be opened are named beside the others, also long ones in a narrow window")
    func unreadable() async throws {
        let name = String(repeating: "Library", count: 12)
        try await BrowserStory.tell(
            "unreadable",
            prepare: { try ModelFiles.write(name, "", in: $0) + ["missing-\(name).sqlite"] }
        ) { story in
            let page = story.page
            try await page.resize(to: (420, 900))
            try await page.see("missing-\(name).sqlite", in: ".start-missing")
            try await page.see(name, in: "a.card b")
            try await story.keepPicture("unreadable")
            try await page.wait(
                "nothing that is cut off or covered",
                until: """
                    const page = document.querySelector(".page");
                    const parts = [...document.querySelectorAll("a.card > span > :not(.card-path)")]
                        .map(each => each.getBoundingClientRect());
                    return page.scrollWidth <= page.clientWidth && parts.length === 2
                        && (parts[0].bottom <= parts[1].top || parts[0].right <= parts[1].left);
                    """)
        }
    }

    @Test("a model opens with its title and its entities")
    func model() async throws {
        try await BrowserStory.tell("model", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await page.click(".rail a[href^='#/models/']")
            for entity in ["Author", "Book"] { try await page.see(entity, in: ".view") }
            try await page.wait("the title", until: "return document.title.includes('Library');")
            try await story.keepPicture("model")
        }
    }

    @Test("Ctrl+K goes to a document by the keyboard alone, and ? lists the keys")
    func palette() async throws {
        try await BrowserStory.tell("palette", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await page.see("Library", in: ".rail")
            try await page.type("?")
            try await page.see("Ctrl+K", in: "dialog")
            try await page.type("{Escape}")
            try await page.seeNo("dialog")
            try await page.type("{Ctrl+k}")
            #expect(try await page.role("dialog input").role == "combobox")
            try await page.type("libr")
            try await page.see("Library", in: "dialog li[aria-selected=true]")
            try await page.type("{Enter}")
            try await page.wait("the model", until: "return location.hash.startsWith('#/models/');")
            try await page.seeNo("dialog")
        }
    }

    @Test("the page is dark where the system is, and light where the user says so, also at the next start")
    func colours() async throws {
        try await BrowserStory.tell("colours", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await page.see("Library", in: ".rail")
            let isDark = """
                const colour = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number);
                return colour.slice(0, 3).every(part => part < 80);
                """
            #expect(try await page.evaluate(isDark) == .boolean(false))
            try await page.useDarkColours()
            try await page.wait("dark", until: isDark)
            try await story.keepPicture("dark")
            try await page.click("button[aria-label='Light colours']")
            #expect(try await page.evaluate(isDark) == .boolean(false))
            _ = try await page.evaluateLater(
                """
                const [done] = arguments;
                const Authorization = "Bearer " + localStorage.getItem("studio.token");
                (async function look() {
                    const response = await fetch("/api/documents", { headers: { Authorization } });
                    if ((await response.json()).preferences.theme === "light") return done(null);
                    setTimeout(look, 16);
                })();
                """)
            story.studio.end()
            let next = try StudioProcess([], state: story.state)
            defer { next.end() }
            try await page.open(try await next.link())
            try await page.see("No file is open", in: ".start")
            #expect(try await page.evaluate(isDark) == .boolean(false))
        }
    }

    @Test("without a link the page says how to get one")
    func signedOut() async throws {
        try await BrowserStory.tell("signed out", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await page.see("Library", in: ".rail")
            try await page.evaluate("localStorage.clear(); location.reload();")
            try await page.see("not signed in", in: "h1")
            try await page.open(try await story.studio.link())
            try await page.see("Library", in: ".rail")
        }
    }

    @Test("without a file a new model is made, and files of former times are opened again")
    func start() async throws {
        try await BrowserStory.tell(
            "start",
            prepare: { folder in
                let model = folder.appendingPathComponent(try LibraryFiles.model(in: folder)[0])
                let former = try StudioProcess([model.path], state: BrowserStory.state(beside: folder))
                defer { former.end() }
                _ = try await former.link()
                return []
            }
        ) { story in
            let page = story.page
            try await page.see("Library", in: ".start")
            try await page.seeNo(".rail li")
            try await story.keepPicture("start-recent")
            try await page.click(".start-new input")
            try await page.type("Library{Enter}")
            try await page.see("there already", in: ".notices")
            try await page.click(".start-new input")
            try await page.type("2{Enter}")
            try await page.wait("the model", until: "return location.hash.startsWith('#/models/m1');")
            try await page.see("Library2", in: ".rail")
            let made = "\(story.folder.path)/Library2.xcdatamodeld/Library2.xcdatamodel/contents"
            #expect(FileManager.default.fileExists(atPath: made))
            try await page.click(".rail-home")
            try await page.click(".start button.card")
            try await page.wait("the other model", until: "return location.hash.startsWith('#/models/m2');")
            try await page.see("Author", in: "[role=tree]")
        }
    }

    @Test("when the studio ends, the page says so and keeps what was typed")
    func ending() async throws {
        try await BrowserStory.tell("ending", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await page.see("Library", in: ".rail")
            try await page.type("{Ctrl+k}")
            try await page.type("unsent")
            story.studio.end()
            try await page.see("does not answer", in: "[role=alert]")
            try await page.see("unsent", in: "dialog input")
        }
    }
}
#endif
