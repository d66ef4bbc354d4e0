#if Studio
import CoreDataJSON
import Foundation
import Testing

@Suite("Stories of a store that is attached to a migration", .inBrowser, .serialized)
struct MigrationStories {
    /// The store of a shop and the model that it was made with, both open.
    private static func tell(
        _ name: String, _ body: (ModelStory, ShopFiles) async throws -> Void
    ) async throws {
        var shop: ShopFiles?
        try await ModelStory.tell(
            name,
            prepare: { folder in
                let made = try ShopFiles(folder: folder, kind: .sqlite)
                try made.make()
                shop = made
                return ["Shop.xcdatamodeld"] + made.names
            },
            { story in try await body(story, #require(shop)) })
    }

    @Test("a store tells how many rows a migration concerns, what stands in its way, and the SQL")
    func attached() async throws {
        try await Self.tell("12 attached store") { story, shop in
            let page = story.page
            let before = try shop.bytes()
            try await story.runAction("Add version")
            try await page.see("Shop 2", in: "dialog input")
            try await page.type("{Enter}")
            try await page.see("Shop 2", in: ".overview h1")
            try await story.select("Book")
            try await story.clickCell("title")
            try await story.type("heading", into: ".inspector input[id^=field-name-]")
            try await page.see("heading", in: ".member-grid")

            // By the models alone there is nothing to count.
            try await story.runAction("Show migration")
            try await page.see("Migrated in place", in: ".method")
            try await page.see("ZHEADING", in: ".statements")
            #expect(try await page.count(".migration-counts") == 0)
            try await story.choose("s1", in: ".migration select[aria-label='Store']")
            try await page.see("310 objects", in: ".migration-counts")
            try await page.see("300", in: ".migration .words .modified")
            try await page.see("ALTER TABLE ZBOOK", in: ".statements")
            try await story.keepPicture("model-migration-store")

            // Sixty books have no author, which the model alone does not know.
            try await story.clickCell("author")
            try await page.click("#field-optional")
            try await page.see("60 objects", in: ".obstacles")
            try await page.see("Book.author", in: ".obstacles")
            try await page.see("Refused", in: ".method")
            try await story.keepPicture("model-migration-violations")
            try await story.clickCell("pages")
            try await story.choose("Date", in: "#field-type")
            try await page.see("incompatible", in: ".obstacles")
            try await page.see("No mapping can be inferred", in: ".method")
            let after = try shop.bytes()
            for (name, bytes) in before where name.hasPrefix("Shop.sqlite") { #expect(after[name] == bytes) }
        }
    }
}
#endif
