#if Studio
import CoreData
import CoreDataJSON
import Foundation
import Testing

/// The page of a store, as stories speak of it.
struct StoreStory: Sendable {
    let story: BrowserStory
    var page: BrowserPage { story.page }

    /// Opens the first store of a story, with its books.
    static func tell(
        _ name: String, _ arguments: [String] = [], entity: String = "Book", isByKeyboard: Bool = false,
        prepare: (URL) async throws -> [String], _ body: (StoreStory) async throws -> Void
    ) async throws {
        try await BrowserStory.tell(name, arguments, prepare: prepare) { story in
            let told = StoreStory(story: story)
            if isByKeyboard {
                try await story.page.see("", in: ".rail a[href^='#/stores/']")
                try await story.page.type("{Ctrl+k}")
                try await story.page.see("", in: "dialog input")
                try await story.page.type(ShopFiles.Kind.usual == .postgreSQL ? "studio" : "Shop")
                try await story.page.see("store", in: "dialog li[aria-selected=true]")
                try await story.page.type("{Enter}")
                try await story.page.see("", in: ".store-tree")
            } else {
                try await story.page.click(".rail a[href^='#/stores/']")
                try await told.open(entity)
            }
            try await body(told)
        }
    }

    /// Tells a story of a shop in a store of a kind.
    static func tell(
        _ name: String, _ arguments: [String] = [], of kind: ShopFiles.Kind = .usual, bookCount: Int = 300,
        keepsHistory: Bool = false, isByKeyboard: Bool = false,
        fill: (NSManagedObjectContext) throws -> Void = { _ in },
        _ body: (StoreStory, ShopFiles) async throws -> Void
    ) async throws {
        var shop: ShopFiles?
        try await tell(
            name, arguments, isByKeyboard: isByKeyboard,
            prepare: { folder in
                let made = try ShopFiles(folder: folder, kind: kind, keepsHistory: keepsHistory)
                try made.make(bookCount: bookCount, fill: fill)
                shop = made
                return made.names
            },
            { story in try await body(story, #require(shop)) })
    }

    // MARK: Doing

    func open(_ entity: String) async throws {
        try await page.click(".store-tree [role=treeitem][data-name='\(entity)']")
        try await page.wait(
            "the rows of \(entity)",
            until: """
                return document.querySelector(".store-tree [aria-selected=true]")?.dataset.name === arguments[0]
                    && document.querySelector(".rows-grid[aria-busy=false]") !== null
                    && document.querySelector(".grid-row:not(.waits)") !== null;
                """, .string(entity))
    }

    func show(tab: String) async throws {
        try await page.evaluate(
            "[...document.querySelectorAll('.store-main > .tabs button')].find(each => each.innerText === arguments[0]).click();",
            .string(tab))
        try await page.see(tab, in: ".store-main > .tabs [aria-selected=true]")
    }

    /// Returns the selector of the cell of the row with a title, in a column.
    func cell(_ title: String, _ column: String = "title") async throws -> String {
        try await page.wait(
            "the \(column) of \(title)",
            until: """
                const columns = [...document.querySelectorAll(".grid-header-name")].map(each => each.innerText);
                const row = [...document.querySelectorAll(".grid-row")].find(each =>
                    each.children[0].textContent === arguments[0]);
                const cell = row?.children[columns.indexOf(arguments[1])];
                if (!cell) return false;
                document.querySelectorAll("[data-story]").forEach(each => delete each.dataset.story);
                cell.dataset.story = "cell";
                return true;
                """, .string(title), .string(column))
        return "[data-story=cell]"
    }

    func clickCell(_ title: String, _ column: String = "title", after keys: String = "") async throws {
        if !keys.isEmpty { try await page.type(keys) }
        try await page.click(try await cell(title, column))
        try await page.see(title, in: ".record h2")
    }

    /// Waits until an editor with a label has the keyboard.
    func waitForEditor(_ label: String) async throws {
        try await page.wait(
            "the editor \(label)",
            until: "return document.activeElement.getAttribute('aria-label') === arguments[0];",
            .string(label))
    }

    func sort(by column: String) async throws {
        try await page.click(".grid-header[title^='\(column):'] .grid-header-name")
        try await page.wait(
            "rows by \(column)",
            until: """
                const header = document.querySelector(`.grid-header[title^='${arguments[0]}:']`);
                return header.getAttribute("aria-sort") !== "none"
                    && document.querySelector(".rows-grid[aria-busy=false]") !== null;
                """, .string(column))
    }

    /// Waits until the rows are sorted by a column.
    func seeSorted(_ column: String, _ order: String) async throws {
        try await page.wait(
            "rows by \(column)",
            until: """
                const header = document.querySelector(`.grid-header[title^='${arguments[0]}:']`);
                return header.getAttribute("aria-sort") === arguments[1]
                    && document.querySelector(".rows-grid[aria-busy=false]") !== null;
                """, .string(column), .string(order))
    }

    /// Goes to a column of the selected row by the arrow keys.
    func walk(to column: String) async throws {
        let steps = try await page.evaluate(
            """
            const columns = [...document.querySelectorAll(".grid-header-name")].map(each => each.innerText);
            const row = document.querySelector(".grid-row[aria-selected=true]");
            return columns.indexOf(arguments[0]) - [...row.children].findIndex(each => each.classList.contains("focused"));
            """, .string(column))
        guard case .integer(let count) = steps else { return }
        try await page.type(
            String(repeating: count < 0 ? "{ArrowLeft}" : "{ArrowRight}", count: Int(abs(count))))
    }

    /// Replaces what stands in the filter, and runs it.
    func filter(_ text: String) async throws {
        try await page.type("{Ctrl+f}{Ctrl+a}{Backspace}\(text) {Enter}")
    }

    /// Opens the list of changes below.
    func showChanges() async throws {
        if try await page.count(".panel .pending, .panel .pending-none") == 0 {
            try await page.click(".strip-button[aria-expanded=false]")
        }
    }

    func save() async throws { try await story.save() }

    // MARK: Looking

    /// Waits for the line below the rows: "1 of 300".
    func seeStatus(_ text: String) async throws { try await page.see(text, in: ".rows-status") }

    /// Waits for the text of a cell.
    func see(_ text: String, at title: String, _ column: String) async throws {
        try await page.wait(
            "\(text) as \(column) of \(title)",
            until: """
                const columns = [...document.querySelectorAll(".grid-header-name")].map(each => each.innerText);
                return [...document.querySelectorAll(".grid-row")].some(each =>
                    each.children[0].textContent === arguments[0]
                    && each.children[columns.indexOf(arguments[1])].textContent === arguments[2]);
                """, .string(title), .string(column), .string(text))
    }

    /// The first column of the rows that can be seen, from the top.
    func shownTitles() async throws -> [String] {
        let titles = try await page.evaluate(
            """
            const view = document.querySelector(".grid-scroller").getBoundingClientRect();
            return [...document.querySelectorAll(".grid-row")]
                .map(each => [each.getBoundingClientRect(), each.children[0].textContent])
                .filter(([box]) => box.top >= view.top - 1 && box.bottom <= view.bottom + 1)
                .sort((a, b) => a[0].top - b[0].top).map(each => each[1]);
            """)
        guard case .array(let elements) = titles else { return [] }
        return elements.compactMap(\.string)
    }
}
#endif
