#if Studio
import CoreDataJSON
import Foundation
import Testing

/// The page of a model, as stories speak of it.
struct ModelStory: Sendable {
    let story: BrowserStory
    var page: BrowserPage { story.page }
    var folder: URL { story.folder }

    /// Opens the first model of a story.
    static func tell(
        _ name: String, _ arguments: [String] = [],
        prepare: (URL) throws -> [String] = LibraryFiles.model(in:),
        _ body: (ModelStory) async throws -> Void
    ) async throws {
        try await BrowserStory.tell(name, arguments, prepare: prepare) { story in
            try await story.page.click(".rail a[href^='#/models/']")
            try await story.page.see("Entities", in: "[role=tree]")
            try await body(ModelStory(story: story))
        }
    }

    // MARK: Doing

    func select(_ name: String) async throws {
        try await page.click("[role=treeitem][data-name='\(name)']")
        try await page.see(name, in: ".element-head h1")
    }

    /// Returns the selector of a cell of a member, by its name.
    func cell(_ member: String, _ column: Int = 0) async throws -> String {
        try await page.wait(
            "a row \(member)",
            until: """
                const cell = [...document.querySelectorAll(".member-grid tbody tr:not(.add)")]
                    .find(each => each.cells[0].innerText.trim() === arguments[0])?.cells[arguments[1]];
                if (!cell) return false;
                document.querySelectorAll("[data-story]").forEach(each => each.removeAttribute("data-story"));
                cell.dataset.story = "cell";
                return true;
                """, .string(member), .integer(Int64(column)))
        return "[data-story=cell]"
    }

    func clickCell(_ member: String, _ column: Int = 0) async throws {
        try await page.click(try await cell(member, column))
    }

    /// Adds a row to a table of the element that is shown, and types its name.
    func addRow(_ section: String, _ name: String) async throws {
        try await page.click("section[aria-label='\(section)'] .add button")
        try await page.wait(
            "the name is edited", until: "return document.activeElement.closest('td.edited') !== null;")
        try await page.type("{Ctrl+a}\(name){Enter}")
        try await page.see(name, in: "section[aria-label='\(section)'] [data-cell]")
    }

    /// Types into a field of the inspector, in place of what is there, and keeps it.
    func type(_ text: String, into field: String) async throws {
        try await page.click(field)
        try await page.type("{Ctrl+a}\(text){Enter}")
    }

    func choose(_ value: String, in selector: String) async throws {
        try await page.wait(
            "the choice \(value)",
            until: """
                const select = document.querySelector(arguments[0]);
                if (![...select?.options ?? []].some(each => each.value === arguments[1])) return false;
                select.value = arguments[1];
                select.dispatchEvent(new Event("change", { bubbles: true }));
                return true;
                """, .string(selector), .string(value))
    }

    func runAction(_ title: String) async throws {
        try await page.type("{Ctrl+k}")
        try await page.see("", in: "dialog input")
        try await page.type(title)
        try await page.see(title, in: "dialog li[aria-selected=true]")
        try await page.type("{Enter}")
        try await page.seeNo("dialog.palette")
    }

    func save() async throws { try await story.save() }

    // MARK: Looking

    func keepPicture(_ name: String) async throws { try await story.keepPicture(name) }

    func contents(_ version: String = "Library") throws -> String {
        let file = story.folder.appendingPathComponent("Library.xcdatamodeld/\(version).xcdatamodel/contents")
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    /// The bytes and the time of writing of every file.
    var files: [String: Data] {
        let paths =
            FileManager.default.enumerator(atPath: story.folder.path)?.compactMap { $0 as? String } ?? []
        let pairs = paths.compactMap { path in
            (try? Data(contentsOf: story.folder.appendingPathComponent(path))).map { (path, $0) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}
#endif
