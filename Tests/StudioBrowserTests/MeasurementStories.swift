#if Studio
import CoreDataJSON
import Foundation
import Testing

/// What the studio promises in numbers, as a table. `Scripts/bench-studio` has it measured, with the optimized
/// tool; nothing is asserted.
@Suite(
    "Measurements of the studio",
    .enabled(
        if: ProcessInfo.processInfo.environment["CORE_DATA_TEST_MEASUREMENTS"] != nil,
        "the studio is measured by Scripts/bench-studio"),
    .serialized)
struct MeasurementStories {
    private func row(_ what: String, _ value: String, _ target: String) {
        print("| \(what) | \(value) | \(target) |")
    }

    private func milliseconds(_ times: PageTimes) -> String {
        String(format: "%.0f ms, mostly up to %.0f ms (%d)", times.median, times.mostly, times.count)
    }

    @Test("a store of a million rows")
    func rows() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "studio-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = try ShopFiles.million(in: folder)
        // The browser is there before the clock runs, and goes whatever happens.
        let driver = try await WebDriver()
        do {
            try await measureRows(of: names, in: folder, BrowserPage(driver: driver))
        } catch {
            await driver.quit()
            throw error
        }
        await driver.quit()
    }

    private func measureRows(of names: [String], in folder: URL, _ page: BrowserPage) async throws {
        let start = ContinuousClock.now
        let studio = try StudioProcess(
            ["--root", folder.path] + names.map { folder.appendingPathComponent($0).path },
            state: folder.appendingPathComponent("state"))
        defer { studio.end() }
        try await page.open(studio.link())
        try await page.click(".rail a[href^='#/stores/']")
        try await page.click(".store-tree [role=treeitem][data-name=Book]")
        try await page.see("", in: ".grid-row:not(.waits)")
        row(
            "From the command to the first rows of a million",
            "\((ContinuousClock.now - start).milliseconds) ms", "1000 ms")
        row("Of it, processor time of the tool", "\(Int(try studio.processorTime())) ms", "300 ms")
        row("Of it, requests for rows", milliseconds(try await page.requests(to: "/windows")), "300 ms")
        let frames = try await page.frames {
            for _ in 1...5 {
                try await page.scroll(".grid-scroller", by: [400, 1600, 300_000, -200_000, 53, 53, -2000])
            }
        }
        row("A frame while they are scrolled", milliseconds(frames), "17 ms")
        let places = (1...40).map { $0 * 7_919_000 % 8_000_000 }
        let jumps = try await page.jumps(
            in: ".grid-scroller", to: places, rows: ".grid-row", waiting: ".grid-row.waits")
        row("From a jump to its rows", milliseconds(jumps), "100 ms")
        row("Memory of the tool", "\(try studio.memory().held) MB", "150 MB")
        row("Memory of the page's objects", String(format: "%.1f MB", try await page.heap() / 1e6), "100 MB")
    }

    @Test("a model of 300 entities")
    func graph() async throws {
        try await ModelStory.tell("measurements", prepare: Self.largeModel(in:)) { story in
            let page = story.page
            try await story.select("Entity1")
            try await story.clickCell("first")
            let before = try story.story.studio.processorTime()
            while case let count = try await page.requests(to: "/commands").count, count < 40 {
                try await page.click("#field-optional")
                while try await page.requests(to: "/commands").count == count {}
            }
            row(
                "A command on a model of 300 entities",
                milliseconds(try await page.requests(to: "/commands")), "20 ms")
            let time = try story.story.studio.processorTime() - before
            row("Of it, processor time of the tool", String(format: "%.1f ms", time / 40), "20 ms")
            try await story.runAction("Graph")
            try await page.see("Entity1", in: ".graph .node")
            let panning = try await page.frames {
                try await page.turnWheel(over: ".graph", by: [(12, 0), (0, 9), (-18, -6), (6, 4)])
            }
            row(
                "A frame while a graph of 300 entities and 880 lines is moved", milliseconds(panning), "33 ms"
            )
            let selecting = try await page.frames {
                try await page.drag(
                    from: .init(selector: ".graph", x: 5, y: 300),
                    to: .init(selector: ".graph", x: -200, y: 100),
                    .init(selector: ".graph", x: 200, y: -100))
            }
            row("A frame while entities of it are selected", milliseconds(selecting), "33 ms")
            // One in the middle.
            try await page.evaluate(
                """
                const middle = [innerWidth / 2, innerHeight / 2];
                const distance = node => {
                    const box = node.querySelector(".name").getBoundingClientRect();
                    return Math.hypot(box.x - middle[0], box.y - middle[1]);
                };
                const nodes = [...document.querySelectorAll(".graph .nodes .node")];
                nodes.sort((one, other) => distance(one) - distance(other))[0].dataset.story = "node";
                """)
            let dragging = try await page.frames {
                let name = "[data-story=node] .name"
                try await page.drag(
                    from: .init(selector: name), to: .init(selector: name, x: 120, y: 90),
                    .init(selector: name, x: -200, y: 40), .init(selector: name, x: 30, y: -120))
            }
            row("A frame while an entity of it is moved", milliseconds(dragging), "33 ms")
        }
    }

    /// Writes a model of 300 entities with three attributes each and 880 relationships.
    private static func largeModel(in folder: URL) throws -> [String] {
        var linkCount = 0
        let entities = (1...300).map { number in
            let attributes = ["first", "second", "third"].map {
                "        <attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>"
            }
            let destinations = [number * 7 % 300 + 1, number * 11 % 300 + 1, (number + 1) % 300 + 1]
                .prefix(880 - linkCount)
            linkCount += destinations.count
            let links = destinations.enumerated().map { index, destination in
                "        <relationship name=\"link\(index)\" optional=\"YES\" maxCount=\"1\" "
                    + "deletionRule=\"Nullify\" destinationEntity=\"Entity\(destination)\"/>"
            }
            let members = (attributes + links).joined(separator: "\n")
            return "    <entity name=\"Entity\(number)\" syncable=\"YES\">\n\(members)\n    </entity>"
        }
        return try ModelFiles.write("Large", entities.joined(separator: "\n"), in: folder)
    }
}

extension Duration {
    fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
}
#endif
