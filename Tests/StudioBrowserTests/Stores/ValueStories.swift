#if Studio
import CoreData
import CoreDataJSON
import Foundation
import Testing

@Suite("Stories of a store's values and reports", .inBrowser, .serialized)
struct ValueStories {
    @Test("data is shown as a picture, a tree, text or bytes, and 50 MB of it hold nobody up")
    func data() async throws {
        try await StoreStory.tell(
            "23 data", bookCount: 0,
            fill: { context in
                for (title, cover) in try Self.covers {
                    ShopFiles.insert("Book", ["title": title, "cover": cover], context)
                }
            }
        ) { story, _ in
            let page = story.page
            try await story.sort(by: "title")
            try await story.clickCell("a picture")
            try await page.wait(
                "a picture", until: "return document.querySelector('.record img')?.naturalWidth === 1;")
            try await story.clickCell("a list")
            try await page.see("colours", in: ".record .plist")
            try await page.see("red", in: ".record .plist")
            try await story.story.keepPicture("store-list")
            try await story.clickCell("a drawing")
            try await page.click(".record .segments button:last-child")
            try await page.see("<svg", in: ".record .data-text.text")
            #expect(try await page.count(".record img, .record svg:not(.icon)") == 0)
            try await story.clickCell("much")
            try await page.see("50.0 MB", in: ".record .data-head")
            try await page.see("000000  00 01 02 03", in: ".record .data-text")
            try await story.see("50.0 MB", at: "much", "cover")
            try await story.story.keepPicture("store-bytes")
        }
    }

    /// Data of several kinds, by the titles of books.
    private static var covers: [String: Data] {
        get throws {
            var much = Data(UInt8.min...UInt8.max)
            while much.count < 50_000_000 { much += much }
            much = Data(much.prefix(50_000_000))
            let list: [String: Any] = ["colours": ["red", "green"], "count": 3]
            return [
                "a drawing": Data(
                    "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".utf8),
                "a list": try PropertyListSerialization.data(
                    fromPropertyList: list, format: .binary, options: 0),
                "a picture": Data(
                    base64Encoded:
                        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
                )!,
                "much": much,
            ]
        }
    }

    @Test("a check says that the store is sound, and finds what is not")
    func check() async throws {
        try await StoreStory.tell("check") { story, _ in
            let page = story.page
            try await story.show(tab: "Check")
            try await page.click(".tab-page button.main")
            try await page.see("sound", in: ".check-good")
            try await story.story.keepPicture("store-check")
        }
    }

    @Test("the rows of a list are exported as CSV, with its filter and in its order")
    func export() async throws {
        try await StoreStory.tell("export") { story, _ in
            let page = story.page
            try await page.saveDownloads(in: story.story.folder.appendingPathComponent("downloads"))
            try await story.sort(by: "title")
            try await story.filter("pages == 380")
            try await story.seeStatus("1 of 7")
            try await story.show(tab: "Export")
            try await page.see("pages == 380", in: ".tab-page code")
            try await page.click(".tab-page button.main")
            try await page.see("Ready", in: ".check-good")
            try await story.story.keepPicture("store-export")
            let file = story.story.folder.appendingPathComponent("downloads/Book.csv")
            while !FileManager.default.fileExists(atPath: file.path) {
                try await Task.sleep(for: .milliseconds(10))
            }
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 8)
            #expect(lines[0].hasPrefix("objectID,title,"))
            #expect(lines[1].contains("Book 038") && lines[7].contains("Book 278"))
        }
    }

    @Test("the history tells who changed which objects, and leads to them")
    func history() async throws {
        try await StoreStory.tell("history", keepsHistory: true) { story, shop in
            let page = story.page
            try shop.write { context in
                try ShopFiles.book("Book 017", context).setValue(99, forKey: "pages")
            }
            try await story.show(tab: "History")
            try await page.see("another program", in: ".history > li:first-child summary")
            try await page.see("pages", in: ".history > li:first-child li")
            try await story.story.keepPicture("store-history")
            try await page.click(".history > li:first-child li a")
            try await page.see("Book 017", in: ".record h2")
        }
    }

    @Test("the statement of a list is shown with its plan")
    func statement() async throws {
        try await StoreStory.tell("statement") { story, _ in
            let page = story.page
            try await story.filter("author.name CONTAINS \"3\"")
            try await story.show(tab: "Statement")
            try await page.see("SELECT", in: ".statement")
            try await page.see("3", in: ".plain-table")
            try await page.see("reads the whole table", in: ".plan .scan")
            try await story.story.keepPicture("store-statement")
        }
    }
}
#endif
