#if Studio
import CoreData
import CoreDataJSON
import Foundation
import PostgreSQLTestSupport
import Testing

@Suite("Stories of a store's edits", .inBrowser, .serialized)
struct EditStories {
    @Test("without --editing a value cannot be edited, and the page says why")
    func locked() async throws {
        try await StoreStory.tell("21 locked") { story, shop in
            let page = story.page
            let before = try shop.bytes()
            try await story.clickCell("Book 001")
            try await page.type("{F2}")
            try await page.see("--editing", in: ".notices")
            try await page.seeNo(".grid-editor")
            try await story.story.keepPicture("store-locked")
            #expect(try shop.bytes() == before)
        }
    }

    @Test("edits wait in colour, are listed, validated and undone, and one save writes them all")
    func editing() async throws {
        try await StoreStory.tell("21 editing", ["--editing"]) { story, shop in
            let page = story.page
            try await story.sort(by: "title")
            try await story.clickCell("Book 001")
            try await page.type("{F2}{Ctrl+a}First{Enter}")
            try await page.see("First", in: ".grid-cell.edited")
            try await page.see("1", in: "button.save .badge")
            // What the model forbids is told at the field, before the save.
            try await story.clickCell("Book 002")
            try await page.type("{Ctrl+Backspace}")
            try await page.see("title", in: ".record-row.wrong")
            try await story.showChanges()
            try await page.see("First", in: ".pending ins")
            try await story.story.keepPicture("store-problem")
            try await page.type("{Ctrl+z}")
            try await page.seeNo(".record-row.wrong")
            try await story.clickCell("Book 003", "pages")
            try await page.type("77{Tab}")
            try await story.see("77", at: "Book 003", "pages")
            // The new object is named in its record.
            try await page.type("{Alt+n}")
            try await page.see("new", in: ".record-kind")
            try await story.waitForEditor("title")
            try await page.type("Zweites Buch{Ctrl+Enter}")
            try await page.see("Zweites Buch", in: ".record h2")
            try await page.click(".record-links .record-row:last-child .record-members > button.plain")
            try await story.waitForEditor("Find Tag")
            try await page.type("sea")
            try await page.see("sea", in: ".object-search li[aria-selected=true]")
            try await page.type("{Enter}")
            try await page.see("sea", in: ".record-members li")
            try await story.clickCell("Book 004")
            try await page.type("{Delete}")
            try await page.see("Book 004", in: ".grid-row.delete")
            try await story.clickCell("Book 005")
            try await page.type("{Delete}")
            try await page.see("Book 005", in: ".grid-row.delete")
            try await story.story.keepPicture("studio-store")
            for _ in 1...2 {
                try await page.type("{Ctrl+z}")
            }
            try await page.wait(
                "two undone", until: "return document.querySelector('.grid-row.delete') === null;")
            try await page.type("{Ctrl+Shift+z}")
            try await page.see("Book 004", in: ".grid-row.delete")
            #expect(try shop.titles().count == 300)
            try await story.save()
            let titles = try shop.titles()
            #expect(titles.count == 300)
            #expect(titles.contains("First") && titles.contains("Zweites Buch"))
            #expect(!titles.contains("Book 001") && !titles.contains("Book 004"))
            #expect(titles.contains("Book 005"))
            try shop.read { context in
                let tags = try ShopFiles.book("Zweites Buch", context).value(forKey: "tags") as? NSOrderedSet
                #expect(tags?.count == 1)
                #expect(try ShopFiles.book("Book 003", context).value(forKey: "pages") as? Int == 77)
            }
        }
    }

    @Test("a value that the store refuses stays in its editor, to be mended")
    func refused() async throws {
        try await StoreStory.tell("21 refused", ["--editing"]) { story, shop in
            let page = story.page
            try await story.clickCell("Book 001", "isbn")
            try await page.type("{F2}{Ctrl+a}nonsense{Enter}")
            try await page.see("UUID", in: ".notice.error")
            try await page.see("nonsense", in: ".grid-editor")
            try await page.type("{Ctrl+a}11111111-2222-4333-8444-555555555555{Enter}")
            try await story.see("11111111-2222-4333-8444-555555555555", at: "Book 001", "isbn")
            // In the record as well.
            try await story.clickCell("Book 002", "isbn")
            try await page.type("{Shift+Enter}")
            try await story.waitForEditor("isbn")
            try await page.type("{Ctrl+a}more{Enter}")
            try await page.see("more", in: ".record input")
            try await page.type("{Escape}")
            try await story.save()
            #expect(try shop.titles().count == 300)
        }
    }

    @Test("what another page edits is listed here, and is not taken back unseen")
    func twoPages() async throws {
        try await StoreStory.tell("21 two pages", ["--editing"]) { story, _ in
            let page = story.page
            let other = """
                const [path, body] = arguments;
                return window.send("/api/stores/s1/" + path, {
                    method: "POST", body, headers: {
                        Authorization: "Bearer " + localStorage.getItem("studio.token"),
                        "Content-Type": "application/json",
                    },
                }).then(response => response.status);
                """
            func edit(_ object: Int, _ title: String) -> JSONValue {
                .string(
                    #"{"edits": [{"kind": "set", "object": "Book/p\#(object)", "key": "title", "value": "\#(title)"}]}"#
                )
            }
            try await page.evaluate("window.send = window.fetch;")
            try await story.showChanges()
            #expect(try await page.evaluate(other, .string("edits"), edit(1, "Theirs")) == .integer(200))
            try await page.see("Theirs", in: ".pending ins")
            try await page.see("1", in: "button.save .badge")

            // The other page is faster than the key that is pressed here.
            try await page.evaluate(
                """
                const body = arguments[0];
                window.fetch = async (address, options) => {
                    if (!String(address).endsWith("/undo")) return send(address, options);
                    window.fetch = send;
                    const { "Idempotency-Key": _, ...headers } = options.headers;
                    await send("/api/stores/s1/edits", { ...options, headers, body });
                    return send(address, options);
                };
                """, edit(2, "Faster"))
            try await page.type("{Ctrl+z}")
            try await page.see("another page has changed", in: ".notice.error")
            for text in ["Theirs", "Faster"] { try await page.see(text, in: ".pending ins") }
            try await page.type("{Ctrl+z}")
            try await page.wait(
                "the step that is seen is taken back",
                until: "return document.querySelector('.pending').innerText.includes('Faster') === false;")
            try await page.see("Theirs", in: ".pending ins")
        }
    }

    @Test("data, composites and the order of members are edited in the record")
    func values() async throws {
        try await StoreStory.tell("21 values", ["--editing"]) { story, shop in
            let page = story.page
            try await story.filter("title == \"Book 003\"")
            try await story.seeStatus("1 of 1")
            try await story.clickCell("Book 003", "size")
            try await page.type("{F2}")
            try await page.wait(
                "an element is edited",
                until: "return document.activeElement.closest('.composite-editor') !== null;")
            try await page.type("2.5{Tab}cm{Tab}4{Enter}")
            try await story.see("height 2.5, unit cm, width 4", at: "Book 003", "size")
            try await page.click(".data-tools button")
            try await story.waitForEditor("cover")
            try await page.type("<svg/>{Ctrl+Enter}")
            try await page.see("6 bytes", in: ".record .data-head")
            try await story.see("6 bytes", at: "Book 003", "cover")
            try await page.click("button[aria-label='Move sea up']")
            try await page.see("sea", in: ".record-members li:nth-child(2)")
            try await story.story.keepPicture("store-values")
            try await story.save()
            try shop.read { context in
                let book = try ShopFiles.book("Book 003", context)
                #expect(book.value(forKey: "cover") as? Data == Data("<svg/>".utf8))
                let size = book.value(forKey: "size") as? [String: Any]
                #expect(size?["height"] as? Double == 2.5 && size?["width"] as? Double == 4)
                let tags = (book.value(forKey: "tags") as? NSOrderedSet)?.array as? [NSManagedObject]
                #expect(
                    tags?.map { $0.value(forKey: "word") as? String } == ["classic", "sea", "dream"])
            }
        }
    }

    @Test(
        "what another program writes shows at once, the row on top stays, and conflicts are chosen by value")
    func others() async throws {
        try await StoreStory.tell("22 others", ["--editing"], keepsHistory: true) { story, shop in
            let page = story.page
            try await story.sort(by: "title")
            // Until the rows are counted, there are a hundred to scroll over.
            try await story.seeStatus("of 300")
            try await page.evaluate("document.querySelector('.grid-scroller').scrollTop = 100 * 26;")
            try await page.see("Book 105", in: ".grid-row")
            for title in ["Book 104", "Book 105"] {
                try await story.clickCell(title)
                try await page.type("{F2}{Ctrl+a}Mine of \(title){Enter}")
                try await page.see("Mine of \(title)", in: ".grid-cell.edited")
            }
            let top = try await story.shownTitles().first
            try await page.evaluate(
                """
                window.flashed = [];
                new MutationObserver(changes => {
                    for (const { target } of changes) {
                        if (target.classList.contains("flash")) window.flashed.push(target.children[0].textContent);
                    }
                }).observe(document.querySelector(".grid-body"), { subtree: true, attributes: true, attributeFilter: ["class"] });
                """)
            try shop.write { context in
                for title in ["Book 104", "Book 105"] {
                    try ShopFiles.book(title, context).setValue("Theirs of \(title)", forKey: "title")
                }
                try ShopFiles.book("Book 106", context).setValue(1234, forKey: "pages")
                for number in 1...3 { context.delete(try ShopFiles.book(ShopFiles.title(number), context)) }
                for number in 1...9 { ShopFiles.insert("Book", ["title": "A new book \(number)"], context) }
            }
            try await story.see("1234", at: "Book 106", "pages")
            try await page.wait("a flash", until: "return window.flashed.includes('Book 106');")
            try await story.seeStatus("of 306")
            #expect(try await story.shownTitles().first == top)
            try await page.type("{Ctrl+s}")
            try await page.see("Theirs of Book 104", in: "dialog.conflicts")
            try await page.see("Mine of Book 105", in: "dialog.conflicts")
            try await page.see("title", in: "dialog.conflicts legend")
            try await story.story.keepPicture("store-conflict")
            try await page.click("dialog.conflicts fieldset:nth-of-type(1) label:nth-of-type(1) input")
            try await page.click("dialog.conflicts fieldset:nth-of-type(2) label:nth-of-type(2) input")
            try await page.click("dialog.conflicts button.main")
            try await page.seeNo("dialog.conflicts")
            try await page.see("Saved", in: ".notices")
            let titles = try shop.titles()
            #expect(titles.contains("Theirs of Book 104") && titles.contains("Mine of Book 105"))
            #expect(!titles.contains("Mine of Book 104") && !titles.contains("Theirs of Book 105"))
        }
    }

    @Test("where one goes while a list is read again is where one stays")
    func goingOnMeanwhile() async throws {
        try await StoreStory.tell("22 going on meanwhile", ["--editing"]) { story, _ in
            let page = story.page
            try await story.sort(by: "title")
            try await story.seeStatus("1 of 300")
            try await page.evaluate("document.querySelector('.grid-scroller').scrollTop = 100 * 26;")
            try await page.see("Book 105", in: ".grid-row")
            // The places of rows in the new list are answered late.
            try await page.evaluate(
                """
                window.held = 0;
                const send = window.fetch;
                const released = new Promise(resume => { window.release = resume; });
                window.fetch = async (address, options) => {
                    const answer = await send(address, options);
                    if (!String(address).includes("/position?")) return answer;
                    window.held += 1;
                    await released;
                    return answer;
                };
                """)
            try await page.type("{F5}")
            try await page.wait("the places are asked for", until: "return window.held > 0;")
            let top = try await story.shownTitles().first
            try await story.clickCell("Book 105")
            try await page.type("{F2}{Ctrl+a}Mine")
            try await page.evaluate("window.release();")
            try await page.wait(
                "the new list", until: "return document.querySelector('.rows-grid').ariaBusy === 'false';")
            _ = try await page.evaluateLater(
                "requestAnimationFrame(() => requestAnimationFrame(() => arguments[0]()));")
            try await page.type("{Enter}")
            try await page.see("Mine", in: ".grid-cell.edited")
            try await page.see("Book 106", in: ".grid-row[aria-selected=true]")
            #expect(try await story.shownTitles().first == top)
        }
    }

    @Test("a value that only the app can make is not edited, and the page says why")
    func appsValue() async throws {
        try await StoreStory.tell("21 app's value", ["--editing"]) { story, _ in
            let page = story.page
            try await page.click(".store-tree [role=treeitem][data-name=Tag]")
            try await story.clickCell("classic", "look")
            try await page.type("{F2}")
            try await page.see("look cannot be edited", in: ".notice")
            try await page.seeNo(".grid-editor")
        }
    }

    @Test("pasted cells are one step of edits, and what the model refuses is told cell by cell")
    func paste() async throws {
        try await StoreStory.tell("21 paste", ["--editing"]) { story, shop in
            let page = story.page
            try await story.sort(by: "title")
            // The columns from isbn on: isbn, pages, price, published.
            try await story.clickCell("Book 299", "isbn", after: "{Ctrl+End}")
            let lines = [
                "11111111-2222-4333-8444-555555555555\t12\t0.10\t2026-03-01",
                "nonsense\t\"34\"\tmuch\t\ttoo far", "beyond",
            ]
            try await page.copy(lines.joined(separator: "\n") + "\n")
            try await page.type("{Ctrl+v}")
            try await page.see("Pasted 6 of 10 values", in: ".notice.error")
            for text in [
                "row 300, isbn: ", "row 300, price: ", "row 300, size: it takes no text",
                "row 301, isbn: there is no row",
            ] {
                try await page.see(text, in: ".notice.error")
            }
            try await story.see("12", at: "Book 299", "pages")
            try await story.see("0.1", at: "Book 299", "price")
            try await story.see("34", at: "Book 300", "pages")
            try await story.see("", at: "Book 300", "published")
            try await story.see("300.25", at: "Book 300", "price")
            try await story.story.keepPicture("store-paste")
            #expect(try await page.faintTextsInBothColours() == [.array([]), .array([])])
            try await page.type("{Ctrl+z}")
            try await page.seeNo(".grid-cell.edited")
            try await page.type("{Ctrl+Shift+z}")
            try await story.see("12", at: "Book 299", "pages")
            try await story.save()
            try shop.read { context in
                let pages = try ShopFiles.book("Book 299", context).value(forKey: "pages")
                let published = try ShopFiles.book("Book 300", context).value(forKey: "published")
                #expect(pages as? Int == 12 && published == nil)
            }
        }
    }

    @Test("dates are shown and edited in the time zone that is chosen, which is kept")
    func timeZone() async throws {
        try await StoreStory.tell("21 time zone", ["--editing"]) { story, shop in
            let page = story.page
            let day = { (text: String) in ISO8601DateFormatter().date(from: text) }
            func choose(_ keys: String) async throws {
                try await page.evaluate("document.querySelector('.zone select').focus();")
                try await page.type(keys)
            }
            try shop.write { context in
                try ShopFiles.book("Book 001", context).setValue(
                    day("2026-07-01T10:00:00Z"), forKey: "published")
            }
            #expect(try await page.role(".zone select").label == "Time zone")
            try await choose("{Home}{ArrowDown}")
            try await story.see("2026-07-01 10:00:00", at: "Book 001", "published")
            try await choose("America/New_Y")
            try await story.see("2026-07-01 06:00:00", at: "Book 001", "published")
            // An hour after the clocks were set forward at two.
            try await story.clickCell("Book 002", "published")
            try await page.type("{F2}{Ctrl+a}2026-03-08 03:30:00{Enter}")
            try await story.see("2026-03-08 03:30:00", at: "Book 002", "published")
            try await story.clickCell("Book 003", "published")
            try await page.type("{F2}{Ctrl+a}2026-03-08T03:30:00+02:00{Enter}")
            try await story.see("2026-03-07 20:30:00", at: "Book 003", "published")
            try await story.save()
            try shop.read { context in
                for (title, date) in [
                    ("Book 002", "2026-03-08T07:30:00Z"), ("Book 003", "2026-03-08T01:30:00Z"),
                ] {
                    let published = try ShopFiles.book(title, context).value(forKey: "published")
                    #expect(published as? Date == day(date))
                }
            }
            try await page.evaluate("location.reload();")
            try await story.see("2026-07-01 06:00:00", at: "Book 001", "published")
            try await story.story.keepPicture("store-zone")
            #expect(try await page.faintTextsInBothColours() == [.array([]), .array([])])
        }
    }

    @Test(
        "a store in one file is listed, filtered, followed and edited as one in SQLite, and read again when replaced",
        arguments: [ShopFiles.Kind.xml, .binary])
    func wholeFiles(_ kind: ShopFiles.Kind) async throws { try await tellOfOthers(kind) }

    @Test(
        "a store in a PostgreSQL database is listed, filtered, followed and edited as one in SQLite, and shows what others write",
        .enabled(if: TestServer.isAvailable, "\(TestServer.absence)"))
    func database() async throws { try await tellOfOthers(.postgreSQL) }

    private func tellOfOthers(_ kind: ShopFiles.Kind) async throws {
        try await StoreStory.tell("18 to 22 \(kind.rawValue)", ["--editing"], of: kind, bookCount: 150) {
            story, shop in
            let page = story.page
            try await story.sort(by: "title")
            try await page.type("{Ctrl+End}")
            try await page.see("Book 150", in: ".record h2")
            try await story.filter("author.name == \"Author 1\"")
            try await story.seeStatus("1 of 18")
            try await story.clickCell("Book 001", "author")
            try await page.type("{Ctrl+Enter}")
            try await page.see("Author 1", in: ".record h2")
            try await page.driver.call("POST", "back")
            try await story.clickCell("Book 001")
            try await page.type("{F2}{Ctrl+a}First{Enter}")
            try await page.see("First", in: ".grid-cell.edited")
            try await story.save()
            #expect(try shop.titles().contains("First"))
            // Another program writes; a file is replaced.
            try shop.write { context in
                try ShopFiles.book("Book 008", context).setValue("Theirs", forKey: "title")
            }
            try await page.see("Theirs", in: ".grid-row")
            try await story.clickCell("Book 022")
            try await page.type("{F2}{Ctrl+a}Mine{Enter}")
            try await page.see("Mine", in: ".grid-cell.edited")
            try shop.write { context in
                try ShopFiles.book("Book 022", context).setValue("Theirs too", forKey: "title")
            }
            try await page.type("{Ctrl+s}")
            try await page.see("Theirs too", in: "dialog.conflicts")
            try await page.click("dialog.conflicts label:nth-of-type(2) input")
            try await page.click("dialog.conflicts button.main")
            try await story.story.seeSaved()
            let titles = try shop.titles()
            #expect(titles.contains("Mine") && titles.contains("Theirs") && titles.contains("First"))
            #expect(!titles.contains("Theirs too") && titles.count == 150)
            try await story.story.keepPicture("store-\(kind.rawValue)")
        }
    }
}
#endif
