import CoreDataJSON
import CoreDataModelSource
import CoreDataStudio
import CoreDataStudioInterface
import Foundation
import Testing

/// A page as far as it matters: what it knows of a model, which it learns from answers alone.
private struct Page {
    private(set) var revision = -1
    private(set) var elements: [Int: JSONValue] = [:]

    mutating func take(_ answer: JSONValue) {
        revision = answer["revision"]?.number ?? -1
        if answer["isPartial"] == nil { elements = [:] }
        for element in answer["elements"]?.list ?? [] { elements[element["id"]?.number ?? -1] = element }
        for id in answer["removed"]?.list ?? [] { elements[id.number ?? -1] = nil }
    }

    func ids(_ kinds: String...) -> [Int] {
        elements.filter { kinds.contains($0.value["kind"]?.string ?? "") }.map(\.key).sorted()
    }
}

@Suite("Two pages on one model")
struct TwoPagesTests {
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state ^ (state >> 31)) &* 0x9E37_79B9_7F4A_7C15
        }
    }

    private func command(_ page: Page, _ generator: inout Generator) -> String {
        let entity = page.ids("entity").randomElement(using: &generator) ?? 0
        let property = page.ids("attribute", "relationship").randomElement(using: &generator) ?? 0
        let name = "n\(Int.random(in: 0...30, using: &generator))"
        switch Int.random(in: 0...7, using: &generator) {
        case 0: return #"{"command": "add", "element": {"kind": "entity"}}"#
        case 1: return #"{"command": "add", "element": {"kind": "attribute"}, "to": \#(entity)}"#
        case 2: return #"{"command": "rename", "element": \#(property), "to": "\#(name)"}"#
        case 3: return #"{"command": "rename", "element": \#(entity), "to": "E\#(name)"}"#
        case 4: return #"{"command": "remove", "elements": [\#(property)]}"#
        case 5: return #"{"command": "duplicate", "elements": [\#(entity)]}"#
        case 6:
            return #"{"command": "connect", "from": {"entity": \#(entity)}, "to": {"entity": \#(entity)}}"#
        default:
            return #"{"command": "set", "elements": [\#(property)], "set": {"optional": false}}"#
        }
    }

    @Test(
        "Whatever two pages do, each knows the model after its answers, and no edit is lost",
        arguments: 1...12)
    func randomEdits(seed: UInt64) async throws {
        let model = try StudiedModel()
        var generator = Generator(state: seed)
        var pages = [Page(), Page()]
        for index in pages.indices { pages[index].take(await model.get()) }
        var (done, stale) = (0, 0)
        for _ in 0..<80 {
            let index = Int.random(in: 0...1, using: &generator)
            let revision = pages[index].revision
            let commands = command(pages[index], &generator)
            let body: (String, String)
            switch Int.random(in: 0...9, using: &generator) {
            case 0: body = ("undo", #"{"revision": \#(revision)}"#)
            case 1: body = ("redo", #"{"revision": \#(revision)}"#)
            default:
                body = (
                    "commands",
                    #"{"revision": \#(revision), "commands": [\#(commands)]}"#
                )
            }
            let known = await model.revision
            let answer = try await model.post(body.0, body.1)
            switch answer.status {
            case 200:
                #expect(revision == known)
                pages[index].take(answer.json)
                done += 1
            case 409 where body.0 == "commands":
                // The page sends its commands again, on what the other one has made.
                #expect(revision != known)
                pages[index].take(try #require(answer.json["state"]))
                let again = try await model.post(
                    "commands",
                    #"{"revision": \#(known), "seen": \#(revision), "commands": [\#(commands)]}"#)
                #expect([200, 422].contains(again.status), "seed \(seed): \(again.json.line)")
                if again.status == 200 { pages[index].take(again.json) }
                stale += 1
            case 409:
                let present = await model.revision
                #expect(revision != known && present == known)
                pages[index].take(try #require(answer.json["state"]))
                stale += 1
            case 422: break
            default: Issue.record("seed \(seed): status \(answer.status): \(answer.json.line)")
            }
            if revision == known || pages[index].revision > known {
                var fresh = Page()
                fresh.take(await model.get())
                #expect(pages[index].revision == fresh.revision)
                #expect(pages[index].elements == fresh.elements, "seed \(seed)")
            }
        }
        #expect(done > 20 && stale > 3)
        try await model.post("save")
        let text = await model.text("contents")
        #expect(try model.text() == text)
        var last = Page()
        last.take(await model.get())
        let names = Set(last.elements.values.compactMap { $0["path"]?.string })
        try model.restart()
        #expect(Set((await model.get()["elements"]?.list ?? []).compactMap { $0["path"]?.string }) == names)
    }
}

@Suite("Models of the corpus in the studio", .enabled(if: ModelCorpus.isThere))
struct CorpusModelTests {
    @Test("A model that is opened and saved keeps every byte, and no file is written")
    func untouched() async throws {
        for package in ModelCorpus.packages {
            let model = try StudiedModel(copying: package)
            let before = model.files
            let saved = try await model.post("save")
            #expect(saved.status == 200 && saved.json["written"] == .array([]), "\(package.path)")
            #expect(model.files == before, "\(package.path)")
        }
    }

    @Test("An edit that is saved and one that takes it back leave every byte as it was")
    func backAndForth() async throws {
        for package in ModelCorpus.packages {
            let model = try StudiedModel(copying: package)
            let before = model.files
            try await model.perform(#"{"command": "add", "element": {"kind": "entity", "name": "Newcomer"}}"#)
            let saved = try await model.post("save")
            #expect(saved.json["written"]?.list?.count == 1, "\(package.path)")
            try await model.post("undo")
            try await model.post("save")
            #expect(model.files == before, "\(package.path)")
        }
    }
}

/// Model packages made by Xcode, if they are in the folder beside the package.
enum ModelCorpus {
    private static let folder: URL = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { url.deleteLastPathComponent() }
        return url.appendingPathComponent("shared/corpus")
    }()

    /// The packages that can be read: some are of an older format, which is refused.
    static let packages: [URL] = {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".xcdatamodeld") }.sorted().map(folder.appendingPathComponent)
            .filter { (try? ModelPackage.read(at: $0)) != nil }
    }()

    static var isThere: Bool { !packages.isEmpty }
}
