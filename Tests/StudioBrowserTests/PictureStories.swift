#if Studio
import CoreDataJSON
import Foundation
import Testing

/// The pictures of the article about the studio, which `Scripts/studio-pictures` takes from here.
@Suite("Pictures of the studio", .inBrowser, .serialized)
struct PictureStories {
    /// Copies the model of an example. Returns its name.
    private static func atlas(in folder: URL) throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        try FileManager.default.copyItem(
            at: root.appendingPathComponent("Examples/Sources/Atlas/Atlas.xcdatamodeld"),
            to: folder.appendingPathComponent("Atlas.xcdatamodeld"))
        return ["Atlas.xcdatamodeld"]
    }

    @Test("the model of an example is shown as tables and as a graph without a problem")
    func model() async throws {
        try await ModelStory.tell("pictures of a model", prepare: Self.atlas(in:)) { story in
            let page = story.page
            try await story.select("Country")
            try await story.clickCell("alpha2")
            try await page.see("[A-Z]{2}", in: ".inspector input")
            try await story.keepPicture("studio-model")
            try await story.runAction("Graph")
            try await page.see("SubdivisionKind", in: ".graph .node")
            #expect(try await page.count(".strip-button.error") == 0)
            try await page.wait(
                "the view", until: "return document.querySelector('.graph .window') !== null;")
            try await story.keepPicture("studio-graph")
        }
    }
}
#endif
