import CoreDataStore
import Foundation
import Testing

@Suite("Files left by dead processes")
struct LeftoversTests {
    @Test(
        "Leftover files are deleted in folders of any name, and other files stay",
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
