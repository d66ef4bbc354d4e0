#if Studio
import CoreData
import CoreDataJSON
import Foundation
import Testing

@Suite("Stories of a store's page without a mouse, in large letters and in the dark", .inBrowser, .serialized)
struct StoreAccessStories {
    @Test("rows are found, sorted, edited, linked, added and deleted by the keyboard alone")
    func keyboard() async throws {
        try await StoreStory.tell("24 keyboard of rows", ["--editing"], isByKeyboard: true) { story, shop in
            let page = story.page
            // From the entities to the rows of another one, and back.
            try await page.wait(
                "the tree has the focus",
                until: """
                    document.querySelector(".store-tree").focus();
                    return document.activeElement.className === "store-tree";
                    """)
            try await page.type("{End}")
            try await page.see("Tag", in: ".store-tree [aria-selected=true]")
            try await story.seeStatus("1 of 3")
            try await page.type("{ArrowUp}")
            try await page.see("Book", in: ".store-tree [aria-selected=true]")
            try await story.seeStatus("1 of 300")
            try await page.type("{Enter}")
            try await page.wait("the grid has the focus", until: Self.isInGrid)
            try await page.type("{Alt+s}")
            try await story.seeSorted("title", "ascending")
            try await page.see("Book 001", in: ".grid-row[aria-selected=true]")

            // A value in its cell, another in the record, a link by a search.
            try await page.type("{F2}{Ctrl+a}First{Enter}")
            try await page.see("First", in: ".grid-cell.edited")
            try await page.see("Book 002", in: ".record h2")
            try await page.type("{Shift+Enter}")
            try await story.waitForEditor("title")
            try await page.type("{Ctrl+a}Second{Ctrl+Enter}")
            try await page.see("Second", in: ".record h2")
            try await page.wait("the grid has the focus", until: Self.isInGrid)
            try await story.walk(to: "author")
            try await page.type("{F2}")
            try await story.waitForEditor("Find Author")
            try await page.type("Author 5")
            try await page.see("Author 5", in: ".object-search li[aria-selected=true]")
            try await page.type("{Enter}")
            try await page.see("Author 5", in: ".grid-row[aria-selected=true]")

            // A new object, one that goes, and one that comes back.
            try await page.type("{Alt+n}")
            try await story.waitForEditor("title")
            try await page.type("New{Ctrl+Enter}")
            try await page.see("New", in: ".record h2")
            try await page.wait("the grid has the focus", until: Self.isInGrid)
            try await page.type("{ArrowDown}{Delete}")
            try await page.see("Book 003", in: ".grid-row.delete")
            try await page.type("{ArrowDown}{Delete}")
            try await page.see("Book 004", in: ".grid-row.delete")
            try await page.type("{Ctrl+z}")
            try await page.wait(
                "one deleted",
                until: "return document.querySelectorAll('.grid-row.delete').length === 1;")
            try await story.save()
            let titles = try shop.titles()
            #expect(titles.prefix(3) == ["Book 004", "Book 005", "Book 006"])
            #expect(titles.suffix(3) == ["First", "New", "Second"])
            try shop.read { context in
                let author = try ShopFiles.book("Second", context).value(forKeyPath: "author.name")
                #expect(author as? String == "Author 5")
            }
        }
    }

    private static let isInGrid = "return document.activeElement.getAttribute('role') === 'grid';"

    @Test(
        "every text of a store has four and a half times the brightness of its ground, or the other way about",
        arguments: [false, true])
    func contrast(isDark: Bool) async throws {
        let scheme = isDark ? "dark" : "light"
        try await StoreStory.tell("24 contrast of rows \(scheme)", ["--editing"], keepsHistory: true) {
            story, _ in
            let page = story.page
            if isDark { try await page.useDarkColours() }
            try await story.sort(by: "title")
            try await story.clickCell("Book 001")
            try await page.type("{F2}{Ctrl+a}First{Enter}")
            try await page.see("First", in: ".grid-cell.edited")
            try await story.clickCell("Book 002")
            try await page.type("{Ctrl+Backspace}")
            try await page.see("title", in: ".record-row.wrong")
            try await story.clickCell("Book 003")
            try await page.type("{Delete}")
            try await page.see("Book 003", in: ".grid-row.delete")
            try await story.showChanges()
            try await page.see("First", in: ".pending ins")
            try await page.type("{Ctrl+f}author.nam == 1 ")
            try await page.see("nam", in: ".store-filter-note .field-problem")
            try await story.story.keepPicture("store-\(scheme)")
            var faint = try await page.faintTexts()
            #expect(faint == .array([]))
            try await page.type("{Ctrl+a}pages C")
            try await page.see("CONTAINS", in: ".completion")
            faint = try await page.faintTexts()
            #expect(faint == .array([]))
            try await page.type("{Escape}{Escape}")
            for (tab, mark) in [
                ("Statement", ".statement"), ("History", ".history"), ("Check", ".tab-page"),
                ("Metadata", ".plain-table"), ("Export", ".tab-page"),
            ] {
                try await story.show(tab: tab)
                try await page.see("", in: mark)
                faint = try await page.faintTexts()
                #expect(faint == .array([]), "\(tab)")
            }
        }
    }

    @Test("in letters of twice the size nothing of a store is cut off or out of reach")
    func largeLetters() async throws {
        try await StoreStory.tell("24 large letters of rows", ["--editing"]) { story, _ in
            let page = story.page
            try await page.useLetters(of: 32)
            try await story.sort(by: "title")
            try await story.clickCell("Book 001")
            try await story.story.keepPicture("store-large")
            for selector in [
                ".store-tree", "#store-filter", ".grid", ".record", ".rows-status", "button.save", ".strip",
                ".tabs [role=tab]:last-child",
            ] {
                let isReachable = try await page.isReachable(selector)
                #expect(isReachable, "\(selector)")
            }
            // Letters fit into their rows and heads.
            let cut = try await page.evaluate(
                """
                return [...document.querySelectorAll(".grid-row, .grid-head, .store-entity, .rows-status")]
                    .filter(each => each.scrollHeight > each.clientHeight + 1).map(each => each.className);
                """)
            #expect(cut == .array([]))
            #expect(
                try await page.evaluate("return document.documentElement.scrollWidth <= innerWidth;")
                    == .boolean(true))
        }
    }
}
#endif
