#if Studio
import CoreDataJSON
import Foundation
import Testing

@Suite("Stories of what a model has beside entities and properties", .inBrowser, .serialized)
struct ModelConstructStories {
    @Test("what is added, changed and deleted again leaves a file as it was")
    func roundTrip() async throws {
        try await ModelStory.tell("13 constructs") { story in
            try await addToEntity(story)
            try await addToModel(story)
            try await story.save()
            let text = try story.contents()
            for line in [
                "<constraint value=\"title\"/>", "<constraint value=\"pages\"/>",
                "<fetchIndex name=\"byTitle\">", "<fetchIndexElement property=\"title\"",
                "<entry key=\"screen\" value=\"list\"/>",
                "<fetchRequest name=\"Thick\" entity=\"Book\" predicateString=\"pages > 500\"",
                "<configuration name=\"Cloud\">", "<memberEntity name=\"Shelf\"/>",
                "<composite name=\"Place\">", "<attribute name=\"street\"",
            ] {
                #expect(text.contains(line), "\(line) is missing in \(text)")
            }
            #expect(try await story.page.count(".strip-button.error") == 0)
            try await story.keepPicture("model-constructs")
            try await deleteAll(story)
            try await story.save()
            #expect(try story.contents() == LibraryFiles.contents)
        }
    }

    private func addToEntity(_ story: ModelStory) async throws {
        let page = story.page
        try await story.select("Book")
        try await story.addRow("Uniqueness constraints", "title")
        try await page.type("{F2}{Ctrl+a}title, pages{Enter}")
        try await page.see("title, pages", in: "section[aria-label='Uniqueness constraints']")
        try await story.addRow("Indexes", "byTitle")
        try await page.type("{ArrowRight}{Enter}{Ctrl+a}title{Enter}")
        try await page.see("title", in: "section[aria-label=Indexes] [data-cell='0 1']")
        try await story.select("Shelf")
        try await page.click(".entries button.plain")
        try await story.type("screen", into: ".entries input[aria-label='Key 1']")
        try await page.see("screen", in: ".entries input[aria-label='Key 1']")
        try await story.type("list", into: ".entries input[aria-label='Value of screen']")
        try await page.see("list", in: ".entries input[aria-label='Value of screen']")
    }

    private func addToModel(_ story: ModelStory) async throws {
        let page = story.page
        try await story.runAction("Add fetch request")
        try await page.see("Fetch request", in: ".inspector-head")
        try await story.type("Thick", into: ".inspector input[id^=field-name-]")
        try await page.see("Thick", in: "[role=tree]")
        try await story.choose("Book", in: "#field-entity")
        try await story.type("pages > 500", into: "#field-predicate")
        try await page.seeNo(".inspector .field-problem")
        try await story.runAction("Add configuration")
        try await page.see("Configuration", in: ".inspector-head")
        try await story.type("Cloud", into: ".inspector input[id^=field-name-]")
        try await page.see("Cloud", in: "[role=tree]")
        try await page.click("#field-members li:nth-of-type(3) input")
        try await story.runAction("Add composite")
        try await page.see("Composite", in: ".inspector-head")
        try await story.type("Place", into: ".inspector input[id^=field-name-]")
        try await page.see("Place", in: "[role=tree]")
        try await story.addRow("Attributes", "street")
    }

    private func deleteAll(_ story: ModelStory) async throws {
        let page = story.page
        for name in ["Place", "Cloud", "Thick"] {
            try await page.click("[role=treeitem][data-name='\(name)']")
            try await page.type("{Delete}")
            try await page.seeNo("[role=treeitem][data-name='\(name)']")
        }
        try await story.select("Shelf")
        try await page.click(".entries button[aria-label='Remove screen']")
        try await page.seeNo(".entries input")
        try await story.select("Book")
        for section in ["Indexes", "Uniqueness constraints"] {
            try await page.click("section[aria-label='\(section)'] [data-cell='0 0']")
            try await page.type("{Delete}")
            try await page.seeNo("section[aria-label='\(section)'] [data-cell]")
        }
    }
}
#endif
