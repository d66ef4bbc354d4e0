import CoreDataStore
import Foundation
import Testing

@Suite("What processes that died have left beside a file")
struct LeftoversTests {
    @Test(
        "It is removed whatever the name of the folder, and files of others stay",
        arguments: ["Stores", "Документы и данные", "数据数据数据数据"])
    func removed(_ name: String) throws {
        let scratch = try ScratchFolder()
        let folder = scratch.file(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let others = ["store.sqlite", UUID().uuidString, ".other.sqlite.\(UUID().uuidString)"]
        for file in others + [".store.sqlite.\(UUID().uuidString)"] {
            try Data([1]).write(to: folder.appendingPathComponent(file))
        }
        Leftovers.remove(beside: folder.appendingPathComponent("store.sqlite"))
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left.sorted() == others.sorted())
    }
}
