#if Studio
import CoreDataJSON
import Foundation
import Testing

@Suite("Stories of a recorded profile", .inBrowser, .serialized)
struct ProfileStories {
    /// A fetch, faults one by one with a statement each, another thread's work beside, and a save.
    static func profile(in folder: URL) throws -> [String] {
        var lines = [
            #"{"header":{"format":1,"program":"Shelves","arguments":[],"process":7,"date":700000000}}"#
        ]
        func add(_ kind: String, _ start: Int, _ duration: Int, _ rest: String, onMain: Bool = true) {
            lines.append(
                #"{"event":{"kind":"\#(kind)","start":\#(start),"duration":\#(duration),\#(rest),"#
                    + #""context":"view","thread":{"number":\#(onMain ? 1 : 4),"isMain":\#(onMain)}}}"#)
        }
        add("fetch", 200_000, 5_000_000, #""entity":"Book","detail":"title CONTAINS[cd] \"sea\"","count":40"#)
        add("statement", 900_000, 4_000_000, #""detail":"SELECT 0, t0.Z_PK FROM ZBOOK t0 WHERE …""#)
        for number in 0..<40 {
            let start = 6_000_000 + number * 260_000
            add("fault", start, 200_000, #""entity":"Book","count":1"#)
            add(
                "statement", start + 20_000, 140_000,
                #""detail":"SELECT t0.ZTITLE FROM ZBOOK t0 WHERE t0.Z_PK = ?""#)
        }
        add("fetch", 3_000_000, 9_000_000, #""entity":"Author","count":900"#, onMain: false)
        add("merge", 17_500_000, 600_000, #""count":12"#)
        add("save", 19_000_000, 24_000_000, #""count":260"#)
        add("statement", 20_000_000, 21_000_000, #""detail":"INSERT INTO ZBOOK …""#)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(
            to: folder.appendingPathComponent("shelves.profile"))
        return ["shelves.profile"]
    }

    @Test("what was slow is listed, and shown on the time line with its events")
    func timeline() async throws {
        try await BrowserStory.tell("profile", prepare: Self.profile(in:)) { story in
            let page = story.page
            try await page.click(".rail a[href^='#/profiles/']")
            try await page.see("40 objects of Book were read one by one", in: ".profile-finding")
            try await page.see("Main thread", in: ".lane-title")
            try await page.see("Save", in: ".mark text")
            try await page.see("86 events", in: ".profile-events")
            try await story.keepPicture("studio-profile")

            // The loop alone, then one of its events in full.
            try await page.click(".profile-finding:nth-of-type(2) .profile-finding-head")
            try await page.see("81 events", in: ".profile-events")
            try await page.wait(
                "a mark for each fault",
                until: "return document.querySelectorAll('.mark.kind-fault').length === 40;")
            try await page.click(".profile-table tbody tr:nth-of-type(3) button")
            try await page.see("t0.ZTITLE", in: ".profile-event pre")
            try await page.see("main thread", in: ".event-facts")

            // The keyboard: less time, all of it, later.
            let label = "return document.querySelector('.timeline svg').getAttribute('aria-label');"
            let before = try await page.evaluate(label)
            try await page.type("+")
            try await page.wait("less time", until: label.dropLast() + " !== arguments[0];", before)
            try await page.type("0")
            try await page.see("86 events", in: ".profile-events")
            #expect(try await page.console().filter { $0.hasPrefix("SEVERE") } == [])
        }
    }

    @Test("a finding names the calls that led to it whole, also where they are long")
    func calls() async throws {
        let call = "Shelves.ShelfViewModel.titles(of: Shelves.Shelf, sortedBy: Shelves.Order) (Shelf.swift:7)"
        try await BrowserStory.tell("profile calls", prepare: Self.profile(in:)) { story in
            let page = story.page
            try await page.see("shelves", in: ".rail")
            // A symbolizer knows the calls of programs on this machine alone.
            try await page.evaluate(
                """
                const send = window.fetch;
                window.fetch = async (address, options) => {
                    const answer = await send(address, options);
                    if (!String(address).endsWith("/review")) return answer;
                    const review = await answer.json();
                    review.findings.forEach(each => { each.calls = [arguments[0]]; });
                    return new Response(JSON.stringify(review), { status: answer.status, headers: answer.headers });
                };
                """, .string(call))
            try await page.click(".rail a[href^='#/profiles/']")
            try await page.see(call, in: ".profile-call")
            try await story.keepPicture("profile-calls")
            #expect(
                try await page.evaluate(
                    """
                    const column = document.querySelector(".profile-findings");
                    return column.scrollWidth <= column.clientWidth && [...document.querySelectorAll(".profile-call")]
                        .every(each => each.scrollWidth <= each.clientWidth);
                    """) == .boolean(true))
        }
    }
}
#endif
