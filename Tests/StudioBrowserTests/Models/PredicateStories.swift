#if Studio
import CoreDataJSON
import Foundation
import Testing

@Suite("Stories of a model's predicates", .inBrowser, .serialized)
struct PredicateStories {
    @Test("the predicate of a fetch request is completed by the keyboard, and its mistakes are underlined")
    func fetchRequest() async throws {
        try await ModelStory.tell("predicate of a fetch request") { story in
            let page = story.page
            try await story.runAction("Add fetch request")
            try await page.see("Fetch request", in: ".inspector-head")
            try await story.choose("Book", in: "#field-entity")
            try await page.click("#field-predicate")
            try await page.type("autor.name == 1 ")
            try await page.see("autor", in: ".completed .underlined u")
            try await page.see("autor", in: ".inspector .field-problem")
            try await page.type("{Ctrl+a}auth")
            try await page.see("author", in: ".completion [aria-selected=true]")
            try await page.type("{Tab}.na")
            try await page.see("author.name", in: ".completion [aria-selected=true]")
            try await story.keepPicture("model-completion")
            try await page.type("{Tab}CON")
            try await page.see("CONTAINS[cd]", in: ".completion [aria-selected=true]")
            try await page.type("{Enter}\"x\"")
            try await page.wait(
                "the whole predicate",
                until: """
                    const field = document.activeElement;
                    return field.id === "field-predicate" && field.value === 'author.name CONTAINS[cd] "x"';
                    """)
            try await page.type("{Enter}")
            try await story.save()
            #expect(
                try story.contents().contains(
                    "predicateString=\"author.name CONTAINS[cd] &quot;x&quot;\""))
        }
    }

    @Test("the predicate of a fetched property is completed in its table, with the variables that it has")
    func fetchedProperty() async throws {
        try await ModelStory.tell("predicate of a fetched property") { story in
            let page = story.page
            try await story.select("Author")
            try await story.addRow("Fetched properties", "namesakes")
            try await page.type("{ArrowRight}")
            try await story.choose("Author", in: "#field-entity")
            try await page.see("Author", in: "section[aria-label='Fetched properties'] [data-cell='0 1']")
            try await page.click("section[aria-label='Fetched properties'] [data-cell='0 2']")
            try await page.type("{Enter}na")
            try await page.see("name", in: ".completion [aria-selected=true]")
            try await page.type("{Tab}== $FETCH_S")
            try await page.see("$FETCH_SOURCE", in: ".completion [aria-selected=true]")
            try await page.type("{Tab}{Backspace}.name{Enter}")
            try await page.see(
                "name == $FETCH_SOURCE.name", in: "section[aria-label='Fetched properties'] [data-cell='0 2']"
            )
        }
    }
}
#endif
