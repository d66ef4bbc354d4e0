#if Studio
import CoreDataJSON
import Foundation
import Testing

@Suite("Stories of the graph's tools", .inBrowser, .serialized)
struct GraphToolStories {
    @Test("selected boxes are put on one line and at equal distances, each as one step")
    func aligning() async throws {
        try await ModelStory.tell("aligning") { story in
            let page = story.page
            try await story.runAction("Graph")
            try await page.see("Author", in: ".graph .node")
            try await page.click(".node[data-name=Shelf] .head-fill")
            #expect(try await page.count(".align-tools") == 0)
            try await page.type("{Ctrl+a}")
            try await page.see("", in: ".align-tools")
            try await page.click("button[aria-label='Align top edges']")
            try await page.wait(
                "one height",
                until: """
                    const tops = [...document.querySelectorAll(".nodes .node")]
                        .map(each => each.getAttribute("transform").match(/[-0-9.]+/g)[1]);
                    return tops.length === 3 && new Set(tops).size === 1;
                    """)
            try await page.click("button[aria-label='Equal distances across']")
            try await page.wait("equal distances", until: Self.equalDistances)
            try await story.keepPicture("graph-aligned")
            try await page.type("{Ctrl+z}{Ctrl+z}")
            try await page.wait(
                "nothing to undo",
                until: "return document.querySelector(\"button[aria-label^='Undo']\").disabled;")
        }
    }

    private static let equalDistances = """
        const boxes = [...document.querySelectorAll(".nodes .node")].map(each => {
            const left = Number(each.getAttribute("transform").match(/[-0-9.]+/g)[0]);
            return [left, left + Number(each.querySelector(".box").getAttribute("width"))];
        }).sort((one, other) => one[0] - other[0]);
        const gaps = boxes.slice(1).map((box, index) => box[0] - boxes[index][1]);
        return gaps.length === 2 && gaps[0] > 0 && Math.abs(gaps[0] - gaps[1]) <= 1;
        """

    @Test("the drawing fills its room, also when a panel takes some of it")
    func size() async throws {
        try await ModelStory.tell("size of the graph") { story in
            let page = story.page
            let isFilled = """
                const [host, drawing] = [document.querySelector(".graph"), document.querySelector(".graph-canvas")];
                const box = drawing.getBoundingClientRect();
                return box.width === host.clientWidth && box.height === host.clientHeight;
                """
            try await story.runAction("Graph")
            try await page.see("Author", in: ".graph .node")
            try await page.wait("it fills its room", until: isFilled)
            let before = try await page.evaluate("return document.querySelector('.graph').clientHeight;")
            try await page.click(".strip-button")
            try await page.wait(
                "there is less room",
                until: "return document.querySelector('.graph').clientHeight < arguments[0];", before)
            try await page.wait("it fills what is left", until: isFilled)
        }
    }

    @Test("colours tell what has changed since the last save, with a sign for who sees none")
    func colours() async throws {
        try await ModelStory.tell("colours") { story in
            let page = story.page
            try await story.select("Book")
            try await story.clickCell("pages")
            try await page.click("#field-optional")
            try await story.runAction("Add entity")
            try await page.see("Entity", in: ".element-head h1")
            try await story.runAction("Graph")
            try await page.see("Author", in: ".graph .node")
            #expect(try await page.count(".legend") == 0)
            try await story.choose("since saved", in: "select[aria-label=Colours]")
            try await page.see("~ Book", in: ".node.changed .name")
            try await page.see("+ Entity", in: ".node.new .name")
            try await page.see("Author", in: ".node.plain .name")
            try await page.see("+ new", in: ".legend")
            try await story.keepPicture("graph-changed")
            let faint = try await page.faintTexts()
            #expect(faint == .array([]))
            try await story.save()
            try await page.seeNo(".node.changed")
        }
    }
}
#endif
