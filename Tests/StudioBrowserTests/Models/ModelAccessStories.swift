#if Studio
import CoreDataJSON
import Foundation
import Testing

@Suite("Stories of a model's page without a mouse, in large letters and in the dark", .inBrowser, .serialized)
struct ModelAccessStories {
    @Test("an entity, its attribute and a pair of relationships are made by the keyboard alone")
    func keyboard() async throws {
        try await ModelStory.tell("24 keyboard") { story in
            let page = story.page
            try await page.type("{Alt+n}")
            try await page.wait(
                "the name is selected",
                until: "return document.activeElement.id.startsWith('field-name-') && getSelection() !== '';")
            try await page.type("Publisher{Enter}")
            try await page.see("Publisher", in: ".element-head h1")
            try await story.runAction("Add attribute")
            try await page.see("Attribute", in: ".inspector-head")
            try await page.wait(
                "the name is selected",
                until: "return document.activeElement.id.startsWith('field-name-');")
            try await page.type("founded{Enter}")
            try await page.see("founded", in: ".member-grid")

            // From the tree into the drawing: arrows walk, R relates what is selected.
            try await story.runAction("Graph")
            try await page.see("Publisher", in: ".graph .node")
            try await page.wait(
                "Publisher has the focus",
                until: """
                    const node = document.querySelector(".node[data-name=Publisher]");
                    node.focus();
                    return document.activeElement === node;
                    """)
            try await page.type("r")
            try await page.see("Relate", in: "dialog h2")
            try await page.type("{Ctrl+a}children{Enter}")
            try await page.seeNo("dialog")
            try await page.type("{Ctrl+s}")
            try await story.save()
            let text = try story.contents()
            #expect(text.contains("<attribute name=\"founded\""))
            #expect(text.contains("<relationship name=\"children\""))
        }
    }

    @Test("the tree, the tables and the boxes of the graph say what they are")
    func roles() async throws {
        try await ModelStory.tell("24 roles") { story in
            let page = story.page
            try await story.select("Book")
            for (selector, role, label) in [
                ("[role=tree]", "tree", "Elements of the model"),
                ("[role=treeitem][data-name=Book]", "treeitem", "Book"),
                ("section[aria-label=Attributes] table", "grid", "Attributes of Book"),
                ("section[aria-label=Attributes] [data-cell='0 0']", "gridcell", "pages"),
            ] {
                let found = try await page.role(selector)
                #expect(found.role == role && found.label.contains(label), "\(selector): \(found)")
            }
            try await story.runAction("Graph")
            let box = try await page.role(".node[data-name=Book]")
            #expect(box.role == "group")
            #expect(box.label == "Book, 2 attributes, author to Author")
        }
    }

    @Test(
        "every text has four and a half times the brightness of its ground, or the other way about",
        arguments: [false, true])
    func contrast(isDark: Bool) async throws {
        try await ModelStory.tell("24 contrast \(isDark ? "dark" : "light")") { story in
            let page = story.page
            if isDark { try await page.useDarkColours() }
            try await story.select("Book")
            try await story.clickCell("title")
            try await page.click(".strip button:nth-of-type(5)")
            try await page.see("entity", in: ".panel")
            try await story.keepPicture("model-\(isDark ? "dark" : "light")")
            #expect(try await page.faintTexts() == .array([]))
            try await story.runAction("Graph")
            try await page.see("Book", in: ".graph .node")
            #expect(try await page.faintTexts() == .array([]))
        }
    }

    @Test("in letters of twice the size nothing is cut off or out of reach")
    func largeLetters() async throws {
        try await ModelStory.tell("24 large letters") { story in
            let page = story.page
            try await page.useLetters(of: 32)
            try await story.select("Book")
            try await story.clickCell("title")
            try await story.keepPicture("model-large")
            for selector in [
                ".rail", "[role=tree]", "section[aria-label=Attributes]", ".inspector", "button.save",
                ".strip",
            ] {
                let isReachable = try await page.isReachable(selector)
                #expect(isReachable, "\(selector)")
            }
            #expect(
                try await page.evaluate("return document.documentElement.scrollWidth <= innerWidth;")
                    == .boolean(true))
        }
    }
}
#endif
