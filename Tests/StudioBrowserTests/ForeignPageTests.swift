#if Studio
import CoreDataJSON
import Foundation
import Testing

@Suite("Stories of foreign pages", .inBrowser, .serialized)
struct ForeignPageTests {
    /// What a page of another origin tries, with whether it got anything from the studio.
    private static let attempts = """
        const [studio, token, done] = arguments;
        const tries = {
            "reads the documents": () => fetch(studio + "/api/documents").then(answer => answer.text()),
            "reads them with the token": () => fetch(studio + "/api/documents",
                { headers: { Authorization: "Bearer " + token } }).then(answer => answer.text()),
            "sends plain text": () => fetch(studio + "/api/session",
                { method: "POST", body: "{}", headers: { "Content-Type": "text/plain" } }).then(answer => answer.text()),
            "sends JSON": () => fetch(studio + "/api/session",
                { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } }).then(answer => answer.text()),
            "reads the page": () => fetch(studio + "/").then(answer => answer.text()),
            "runs a script of the page": () => new Promise((resolve, reject) => {
                const script = document.createElement("script");
                [script.src, script.type] = [studio + "/main.js", "module"];
                [script.onload, script.onerror] = [() => resolve("ran"), () => reject()];
                document.head.append(script);
            }),
            "shows a picture of the page": () => new Promise((resolve, reject) => {
                const image = new Image();
                [image.onload, image.onerror] = [() => resolve("shown"), () => reject()];
                image.src = studio + "/icon.svg";
            }),
            "sends without asking": () => fetch(studio + "/api/session",
                { method: "POST", mode: "no-cors", body: "{}" }).then(answer => {
                    if (answer.type === "opaque") throw new Error("nothing can be read of it");
                    return "sent";
                }),
            "shows the page in a frame": () => new Promise((resolve, reject) => {
                const frame = document.createElement("iframe");
                frame.src = studio + "/";
                frame.onload = () => {
                    try { resolve(frame.contentDocument.title + "!"); } catch { reject(new Error("closed to us")); }
                };
                document.body.append(frame);
            }),
        };
        Promise.all(Object.entries(tries).map(([name, attempt]) => attempt().then(() => name, () => null)))
            .then(names => done(names.filter(name => name !== null)));
        """

    @Test("a page of another port gets nothing from the studio and changes nothing, even with the token")
    func otherOrigin() async throws {
        try await BrowserStory.tell("foreign page", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await page.see("Library", in: ".rail")
            let origin = try #require(try await page.evaluate("return location.origin;").string)
            let token = try #require(try await page.evaluate("return localStorage['studio.token'];").string)
            let other = try PlainServer()
            try await page.open("http://127.0.0.1:\(other.port)/")
            let got = try await page.driver.call(
                "POST", "execute/async",
                .object([
                    .init("script", .string(Self.attempts)),
                    .init("args", .array([.string(origin), .string(token)])),
                ]))
            #expect(got == .array([]))
            // The page of the studio goes on, and its model is as it was.
            try await page.open(origin + "/")
            try await page.see("Library", in: ".rail")
            let file = story.folder.appendingPathComponent(
                "Library.xcdatamodeld/Library.xcdatamodel/contents")
            #expect(try String(contentsOf: file, encoding: .utf8) == LibraryFiles.contents)
        }
    }

    @Test("a foreign name that leads to this machine gets neither the page nor an answer")
    func otherHost() async throws {
        try await BrowserStory.tell("foreign name", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await page.see("Library", in: ".rail")
            let port = try #require(try await page.evaluate("return location.port;").string)
            // Browsers lead every name that ends so to this machine.
            try await page.open("http://evil.localhost:\(port)/")
            try await page.see("its own address only")
            #expect(try await page.count("script") == 0)
        }
    }

    @Test("a link that was used is of no use to another browser")
    func usedLink() async throws {
        try await BrowserStory.tell("used link", prepare: LibraryFiles.model(in:)) { story in
            let page = story.page
            try await page.see("Library", in: ".rail")
            let link = try await story.studio.link()
            try await page.evaluate("localStorage.clear();")
            try await page.open("about:blank")
            try await page.open(link)
            try await page.see("Library", in: ".rail")
            try await page.evaluate("localStorage.clear();")
            try await page.open("about:blank")
            try await page.open(link)
            try await page.see("not signed in", in: "h1")
        }
    }
}
#endif
