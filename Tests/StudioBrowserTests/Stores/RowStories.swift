#if Studio
import CoreDataJSON
import Foundation
import Testing

@Suite("Stories of a store's rows", .inBrowser, .serialized)
struct RowStories {
    @Test(
        "a store of Apple's framework is read as it is, and keeps every byte",
        .enabled(if: AppleStore.isThere))
    func appleStore() async throws {
        var before = Data()
        try await StoreStory.tell(
            "18 Apple's store",
            prepare: { folder in
                try AppleStore.copy(to: folder)
                before = try Data(contentsOf: folder.appendingPathComponent(AppleStore.name))
                return [AppleStore.name]
            }
        ) { story in
            try await story.seeStatus("1 of 52")
            for (entity, count) in [("Page", "4\u{202F}970"), ("Feedback", "444"), ("GraphicNovel", "1")] {
                try await story.page.see(count, in: "[role=treeitem][data-name='\(entity)']")
            }
            try await story.open("Page")
            try await story.seeStatus("of 4,970")
            try await story.story.keepPicture("store-apple")
            let file = story.story.folder.appendingPathComponent(AppleStore.name)
            #expect(try Data(contentsOf: file) == before)
        }
    }

    @Test("a million rows are sorted, and the last one is reached at once")
    func million() async throws {
        try await StoreStory.tell(
            "18 a million rows",
            prepare: { folder in
                try ShopFiles.million(in: folder)
            }
        ) { story in
            let page = story.page
            try await story.sort(by: "title")
            try await page.see(Self.millionTitle(first: true), in: ".grid-row[aria-selected=true]")
            try await story.seeStatus("of 1,000,000")
            try await page.type("{Ctrl+End}")
            try await story.seeStatus("1,000,000 of 1,000,000")
            try await page.see(Self.millionTitle(first: false), in: ".record h2")
            let row = try await page.evaluate(
                "return document.querySelector('.grid-row[aria-selected=true]').getAttribute('aria-rowindex');"
            )
            #expect(row == .string("1000001"))
            try await story.story.keepPicture("store-million")
            try await page.scroll(".grid-scroller", by: [53, 1000, 300_000, -900_000, 53, 53, -2_000_000])
            #expect(try await page.count(".grid-row") < 120)
            // A page that is loaded again gives back the list that it had.
            for _ in 1...3 {
                try await page.evaluate("window.isFormer = true; location.reload();")
                try await page.wait(
                    "the rows of a new page",
                    until: """
                        return window.isFormer === undefined
                            && document.querySelector(".rows-status")?.innerText.includes("of 1,000,000");
                        """)
            }
            #expect(try story.story.studio.memory().held < 150)
        }
    }

    /// The first or last title that `ShopFiles.grow` makes of a million numbers.
    private static func millionTitle(first: Bool) -> String {
        let numbers = (1...1_000_000).lazy.map { $0 * 7919 % 1_000_003 }
        return String(format: "Book %07d", (first ? numbers.min() : numbers.max()) ?? 0)
    }

    @Test("a filter is completed by the keyboard, its mistakes are underlined, and Enter runs it")
    func filter() async throws {
        try await StoreStory.tell("19 filter") { story, _ in
            let page = story.page
            try await page.type("{Ctrl+f}author.name CON")
            try await page.see("CONTAINS", in: "[role=option][aria-selected=true]")
            try await story.story.keepPicture("store-completion")
            try await page.type("{Tab}\"3\"")
            #expect(
                try await page.evaluate("return document.activeElement.value;")
                    == .string("author.name CONTAINS[cd] \"3\""))
            try await page.type("{Enter}")
            try await story.seeStatus("1 of 34")
            #expect(
                try await page.evaluate("return document.activeElement.getAttribute('role');")
                    == .string("grid"))
            try await page.type("{Ctrl+f}{Ctrl+a}autor.name == \"x\"")
            try await page.see("autor", in: ".store-filter .underlined u")
            try await page.see("autor", in: ".store-filter-note")
            try await story.story.keepPicture("store-mistake")
            try await page.type("{Escape}{Escape}")
            try await story.filter("pages > 380")
            try await story.seeStatus("1 of 7")
            try await page.click("button[aria-label='Clear the filter']")
            try await story.seeStatus("1 of 300")
        }
    }

    @Test("links lead from object to object, and back leads to where one was")
    func trail() async throws {
        try await StoreStory.tell("20 trail") { story, _ in
            let page = story.page
            try await story.sort(by: "title")
            try await story.clickCell("Book 008", "author")
            try await page.type("{Ctrl+Enter}")
            try await page.see("Author 1", in: ".record h2")
            try await page.see("Author", in: ".store-tree [aria-selected=true]")
            try await page.see("Author 1", in: ".grid-row[aria-selected=true]")
            let link = ".record-members li:nth-child(2) .record-link"
            // As any link of the web, it can be opened in another tab.
            #expect(try await page.role(link).role == "link")
            let address = try await page.evaluate(
                "return document.querySelector(arguments[0]).getAttribute('href');", .string(link))
            #expect(address.string?.hasPrefix("#/stores/s1/rows/Book?object=Book") == true)
            try await page.click(link)
            try await page.see("Book", in: ".store-tree [aria-selected=true]")
            try await page.wait(
                "the book",
                until: "return document.querySelector('.record h2')?.innerText.startsWith('Book ');")
            try await story.story.keepPicture("store-trail")
            try await page.driver.call("POST", "back")
            try await page.see("Author 1", in: ".record h2")
            try await page.driver.call("POST", "back")
            try await page.see("Book 008", in: ".record h2")
            try await page.see("Book 008", in: ".grid-row[aria-selected=true]")
            try await page.wait(
                "the cell where one was",
                until: """
                    return document.activeElement.getAttribute("role") === "grid"
                        && document.querySelector(".grid-cell.focused").innerText === "Author 1";
                    """)
        }
    }

    @Test("back leads to a row far down, too")
    func farBack() async throws {
        try await StoreStory.tell("20 far back") { story, _ in
            let page = story.page
            try await story.sort(by: "title")
            try await story.seeStatus("of 300")
            try await story.clickCell("Book 299", "author", after: "{Ctrl+End}")
            try await page.type("{Ctrl+Enter}")
            try await page.see("Author 5", in: ".record h2")
            try await page.driver.call("POST", "back")
            try await page.see("Book 299", in: ".grid-row[aria-selected=true]")
        }
    }

    @Test("what a link leads to is shown beside it, under the pointer and by the keyboard, and is read once")
    func preview() async throws {
        try await StoreStory.tell("20 preview") { story, _ in
            let page = story.page
            try await story.sort(by: "title")
            try await page.evaluate(
                """
                window.asked = [];
                const send = window.fetch;
                window.fetch = (address, options) => {
                    if (/objects.Author.p\\d+$/.test(address)) window.asked.push([address, options.signal]);
                    return send(address, options);
                };
                """)
            let cell = try await story.cell("Book 001", "author")
            try await page.point(at: .init(selector: cell))
            try await page.see("Author 1", in: ".link-preview")
            try await page.see("name", in: ".link-preview dt")
            #expect(try await page.role(".link-preview").role == "tooltip")
            try await story.story.keepPicture("store-preview")
            #expect(try await page.faintTextsInBothColours() == [.array([]), .array([])])
            // One can go into it, and leave it by a key.
            try await page.point(at: .init(selector: ".link-preview"))
            try await page.see("Author 1", in: ".link-preview")
            try await page.type("{Escape}")
            try await page.seeNo(".link-preview")
            try await story.clickCell("Book 001")
            try await story.walk(to: "author")
            try await page.see("Author 1", in: ".link-preview")
            #expect(
                try await page.evaluate(
                    "return document.querySelector('.grid-cell.focused').getAttribute('aria-describedby');")
                    == .string("link-preview"))
            #expect(try await page.evaluate("return window.asked.length;") == .integer(1))
            // An answer that is late is not waited for.
            try await page.evaluate(
                """
                const send = window.fetch;
                window.answerAgain = () => { window.fetch = send; };
                window.fetch = (address, options) => /objects.Author.p\\d+$/.test(address)
                    ? new Promise((_, fail) => {
                        window.late = options.signal;
                        options.signal.addEventListener("abort", () => fail(options.signal.reason));
                    }) : send(address, options);
                """)
            try await page.type("{ArrowDown}")
            try await page.wait("the next one is asked for", until: "return window.late !== undefined;")
            try await page.type("{ArrowLeft}")
            try await page.wait("it is given up", until: "return window.late.aborted;")
            try await page.seeNo(".link-preview")
            // It goes with the row that it is of.
            try await page.evaluate("window.answerAgain();")
            try await page.type("{ArrowUp}{ArrowRight}")
            try await page.see("Author 1", in: ".link-preview")
            try await page.type("{Ctrl+Enter}")
            try await page.see("Author 1", in: ".record h2")
            try await page.seeNo(".link-preview")
        }
    }

    @Test("what runs is listed below with its beginning, and is cancelled there")
    func work() async throws {
        try await StoreStory.tell("18 work") { story, _ in
            let page = story.page
            // It would take hours.
            let path = String(repeating: "author.books.", count: 6)
            try await story.filter("ANY \(path)pages > 1000 + pages")
            try await page.see("1", in: ".strip-button .badge")
            try await page.evaluate("document.querySelector('.strip-button').focus();")
            try await page.type("{Enter}")
            try await page.see("First rows of Book where ANY author.books.author.", in: ".work li")
            try await page.see("since ", in: ".work li")
            let cancel = try await page.role(".work button")
            #expect(cancel.role == "button")
            #expect(cancel.label.hasPrefix("Cancel First rows of Book where "))
            try await story.story.keepPicture("store-work")
            #expect(try await page.faintTextsInBothColours() == [.array([]), .array([])])
            try await page.evaluate("document.querySelector('.work button').focus();")
            try await page.type("{Enter}")
            try await page.see("the query was cancelled", in: ".store-filter-note")
            try await page.see("Nothing runs.", in: ".work li")
            try await page.seeNo(".strip-button .badge")
        }
    }

    @Test("assistive technology is told of the rows as a grid and of the entities as a tree")
    func roles() async throws {
        try await StoreStory.tell("24 roles of rows") { story, _ in
            let page = story.page
            try await story.seeStatus("1 of 300")
            #expect(try await page.role(".grid").role == "grid")
            #expect(try await page.role(".grid-row").role == "row")
            #expect(try await page.role(".grid-cell").role == "gridcell")
            #expect(try await page.role(".store-tree").role == "tree")
            #expect(try await page.role(".store-tree [data-name=Book]").label.hasPrefix("Book"))
            #expect(
                try await page.evaluate(
                    "return document.querySelector('.grid').getAttribute('aria-rowcount');")
                    == .string("301"))
            try await page.useDarkColours()
            try await story.story.keepPicture("store-dark")
        }
    }
}

/// A store that Apple's framework wrote, if the corpus is beside the checkout.
enum AppleStore {
    static let name = "SampleModel2_V1.sqlite"
    private static let file: URL = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { url.deleteLastPathComponent() }
        return url.appendingPathComponent(
            "shared/corpus/alemar11__CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/\(name)")
    }()
    static var isThere: Bool { FileManager.default.fileExists(atPath: file.path) }

    static func copy(to folder: URL) throws {
        try FileManager.default.copyItem(at: file, to: folder.appendingPathComponent(name))
    }
}
#endif
