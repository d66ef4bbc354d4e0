#if Studio
import CoreDataJSON
import Foundation
import Testing

/// Browsers give up all that they are loading when the machine's network changes, also what comes from the machine
/// itself.
@Suite("Stories of a network that changes", .inBrowser, .serialized)
struct NetworkStories {
    @Test(
        "a page loads itself again until all its parts are there",
        arguments: ["style.css", "shell/rail.js", "model/page.js"])
    func missingPart(_ part: String) async throws {
        try await BrowserStory.tell("missing part", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await page.see("Library", in: ".rail")
            try await page.tell("Network.enable")
            try await page.tell("Network.setCacheDisabled", WebDriver.json(#"{"cacheDisabled": true}"#))
            try await page.tell("Network.setBlockedURLs", WebDriver.json(#"{"urls": ["*/\#(part)"]}"#))
            try await page.evaluate("location.hash = '#/models/m1'; location.reload();")
            try await page.wait(
                "it was tried", until: "return Number(sessionStorage.getItem('studio.reloads')) > 1;")
            try await page.tell("Network.setBlockedURLs", WebDriver.json(#"{"urls": []}"#))
            try await page.see("Author", in: "[role=tree]")
            #expect(
                try await page.evaluate("return getComputedStyle(document.querySelector('.shell')).display;")
                    == .string("grid"))
            try await page.wait(
                "it is whole", until: "return sessionStorage.getItem('studio.reloads') === null;")
        }
    }

    @Test("a page that cannot load anything says so, and leads to itself")
    func nothingLoaded() async throws {
        try await BrowserStory.tell("nothing loaded", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await page.see("Library", in: ".rail")
            try await page.tell("Network.enable")
            try await page.tell("Network.setBlockedURLs", WebDriver.json(#"{"urls": ["*.js"]}"#))
            try await page.evaluate("location.reload();")
            try await page.see("not loaded yet", in: ".not-loaded")
            try await page.tell("Network.setBlockedURLs", WebDriver.json(#"{"urls": []}"#))
            try await page.click(".not-loaded a")
            try await page.see("Library", in: ".rail")
            try await page.seeNo(".not-loaded")
        }
    }

    @Test("one leaves the page and comes back as often as one likes")
    func comingBack() async throws {
        try await BrowserStory.tell("coming back", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await page.see("Library", in: ".rail")
            let address = try await page.evaluate("return location.origin + '/#/models/m1';").string ?? ""
            // Browsers keep pages that are left, with their connections, of which a host gets six.
            for _ in 1...9 {
                try await page.open("about:blank")
                try await page.open(address)
                try await page.see("Author", in: "[role=tree]")
            }
        }
    }

    /// Has the answer to the next request get lost whose address ends with a text.
    private func loseAnswer(to end: String, on page: BrowserPage) async throws {
        try await page.evaluate(
            """
            const send = window.fetch;
            window.fetch = async (address, options) => {
                const answer = await send(address, options);
                if (options.method !== "POST" || !String(address).endsWith(arguments[0])) return answer;
                window.fetch = send;
                throw new TypeError("the network changed");
            };
            """, .string(end))
    }

    @Test("a change of a model whose answer is lost is made once, and nobody notices")
    func lostCommand() async throws {
        try await ModelStory.tell("lost command") { story in
            try await story.select("Shelf")
            try await loseAnswer(to: "/commands", on: story.page)
            try await story.addRow("Attributes", "width")
            try await loseAnswer(to: "/save", on: story.page)
            try await story.save()
            #expect(try story.contents().components(separatedBy: "name=\"width\"").count == 2)
            #expect(try story.contents().components(separatedBy: "<attribute ").count == 7)
            try await story.page.seeNo(".notice.error")
        }
    }

    @Test("edits of a store whose answers are lost are made and saved once, and rows are asked for again")
    func lostEdits() async throws {
        try await StoreStory.tell("lost edits", ["--editing"]) { story, shop in
            let page = story.page
            try await loseAnswer(to: "/edits", on: page)
            try await page.type("{Alt+n}")
            try await story.waitForEditor("title")
            try await page.type("New{Ctrl+Enter}")
            try await page.see("New", in: ".record h2")
            try await page.see("1", in: "button.save .badge")
            try await loseAnswer(to: "/save", on: page)
            try await story.save()
            #expect(try shop.titles().filter { $0 == "New" }.count == 1)
            #expect(try shop.titles().count == 301)
            try await loseAnswer(to: "/windows", on: page)
            try await story.filter("title == \"New\"")
            try await story.seeStatus("1 of 1")
            try await page.seeNo(".notice.error")
        }
    }
}
#endif
