#if Studio
import CoreData
import CoreDataJSON
import Foundation
import Testing

@Suite("Stories of damaged stores", .inBrowser, .serialized)
struct CheckStories {
    @Test("a check names the faults of a store, and a repaired copy beside it has none of them")
    func repair() async throws {
        try await StoreStory.tell(
            "check and repair",
            prepare: { folder in
                let shop = try ShopFiles(folder: folder, kind: .sqlite)
                try shop.make()
                try shop.run("DELETE FROM ZAUTHOR WHERE ZNAME = 'Author 3'")
                try shop.run("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Book'")
                return shop.names
            }
        ) { story in
            let page = story.page
            let file = story.story.folder.appendingPathComponent("Shop.sqlite")
            let before = try Data(contentsOf: file)
            try await story.show(tab: "Check")
            try await page.click(".tab-page button.main")
            try await page.see("Book.author", in: ".findings")
            try await page.see("empty the relationship", in: ".findings")
            try await page.see("record the highest key in use", in: ".findings")
            try await story.story.keepPicture("store-findings")
            try await page.click(".tab-page .tab-tools:last-child button.main")
            try await page.see("Nothing is left", in: ".check-good")
            try await page.see("Shop repaired.sqlite", in: ".tab-page code")
            try await page.see("empty the relationship", in: ".findings.repaired")
            try await story.story.keepPicture("store-repaired")
            #expect(try Data(contentsOf: file) == before)
            let copy = try ShopFiles(folder: story.story.folder, kind: .sqlite, name: "Shop repaired")
            try copy.read { context in
                // The books of the author that is gone have none now; their neighbours keep theirs.
                #expect(try ShopFiles.book("Book 003", context).value(forKey: "author") == nil)
                let author = try ShopFiles.book("Book 004", context).value(forKeyPath: "author.name")
                #expect(author as? String == "Author 4")
            }
        }
    }
}
#endif
