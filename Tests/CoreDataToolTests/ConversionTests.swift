import CoreDataJSON
import CoreDataSQLite
import CoreDataTool
import Foundation
import Testing

@Suite("Stores of other types")
struct ConversionTests {
    private func export(_ store: OpenedStore) throws -> [JSONValue] {
        var lines: [String] = []
        try StoreExport(store, includesModel: false).write { lines.append($0) }
        return try lines.dropFirst().map { try JSONParser.parse($0)["attributes"] ?? .null }
    }

    @Test(
        "A store converted to another type and back to SQLite keeps its content",
        arguments: [StoreConversion.Target.sqlite, .xml, .binary])
    func thereAndBack(_ target: StoreConversion.Target) throws {
        let library = try LibraryStore()
        let before = try library.files()
        let model = library.folder.appendingPathComponent("Library.mom")
        let other = library.folder.appendingPathComponent("Other.\(target.rawValue)")
        let back = library.folder.appendingPathComponent("Back.sqlite")
        #expect(StoreConversion.Target(of: other) == target)
        let store = try OpenedStore(at: library.url)
        #expect(try StoreConversion(store).convert(to: other, as: target) == 12)
        for (name, data) in before { #expect(try library.files()[name] == data) }

        try LibraryModel.write(to: model)
        let converted = try OpenedStore(at: other, model: model)
        #expect(try StoreSummary(of: converted).entities.compactMap(\.rowCount).reduce(0, +) == 12)
        #expect(Set(try export(converted)) == Set(try export(store)))
        try StoreConversion(converted).convert(to: back, as: .sqlite)
        #expect(Set(try export(OpenedStore(at: back))) == Set(try export(store)))
        #expect(try StoreCheck(OpenedStore(at: back)).findings() == [])
        #expect(throws: ToolError.self) { try StoreConversion(store).convert(to: back, as: target) }
    }

    @Test("A value whose file is missing is left out with a warning, and the rest is converted")
    func missingFile() throws {
        let library = try LibraryStore()
        let file = try #require(StoreFiles(library.url).externalFiles().first)
        let path = StoreFiles(library.url).externalData.path + "/" + file.name
        try FileManager.default.removeItem(atPath: path)
        let other = library.folder.appendingPathComponent("Other.xml")
        var warnings: [String] = []
        let store = try OpenedStore(at: library.url)
        #expect(try StoreConversion(store).convert(to: other, as: .xml) { warnings.append($0) } == 12)
        #expect(warnings == ["Novel/p1.cover: the external file \(path) is missing"])
        let converted = try OpenedStore(at: other, model: library.url)
        let novel = try export(converted).first { $0["title"] == .string("The Dispossessed") }
        #expect(novel?["genre"] == .string("utopia"))
        #expect(novel?["cover"] == nil)
    }

    @Test(
        "An import creates a store of the type in its name, or adds to it",
        arguments: [StoreConversion.Target.sqlite, .xml, .binary])
    func imported(_ target: StoreConversion.Target) throws {
        let library = try LibraryStore()
        var lines: [String] = []
        try StoreExport(try OpenedStore(at: library.url)).write { lines.append($0) }
        let other = library.folder.appendingPathComponent("Other.\(target.rawValue)")
        for (lines, count) in [(lines, 12), ([#"{"id": "Author/new", "attributes": {"name": "Lem"}}"#], 13)] {
            let reader = StoreImport(into: other, model: library.url)
            for line in lines { try reader.read(line) }
            #expect(try reader.finish() == lines.filter { $0.contains("\"id\"") }.count)
            // Another store that contains the model can be given as the model.
            let store = try OpenedStore(at: other, model: library.url)
            #expect(store.metadata.type.lowercased() == target.rawValue)
            #expect(try StoreSummary(of: store).entities.compactMap(\.rowCount).reduce(0, +) == Int64(count))
        }
    }

    @Test("A failed import deletes nothing of another store")
    func neighbours() throws {
        let library = try LibraryStore()
        let before = try library.files()
        for name in ["Library.db", "Library.xml"] {
            let reader = StoreImport(
                into: library.folder.appendingPathComponent(name), model: library.url)
            #expect(throws: ToolError.self) {
                try reader.read(#"{"id": "Author/1"}"#)
                try reader.read("nonsense")
            }
            reader.discard()
            #expect(try library.files() == before)
        }
    }

    @Test("A store of many megabytes is converted to XML and read again")
    func large() throws {
        let library = try LibraryStore { context in
            for letter in "abcdefghijklm" {
                let title = String(repeating: letter, count: 1_000_000)
                LibraryStore.insert("Book", in: context, ["title": title])
            }
            let cover = Data(repeating: 1, count: 9_000_000)
            LibraryStore.insert("Book", in: context, ["title": "with a cover", "cover": cover])
        }
        let xml = library.folder.appendingPathComponent("Library.xml")
        let model = library.folder.appendingPathComponent("Library.mom")
        try StoreConversion(OpenedStore(at: library.url)).convert(to: xml, as: .xml)
        try LibraryModel.write(to: model)
        let store = try OpenedStore(at: xml, model: model)
        #expect(StoreFiles.size(of: xml) > 20_000_000)
        let long = FetchSpecification(entity: "Book", predicate: "title.length == 1000000")
        #expect(try StoreFetch(long, from: store).count() == 13)
        let cover = FetchSpecification(entity: "Book", predicate: "cover != nil")
        #expect(try StoreFetch(cover, from: store).count() == 1)
    }

    @Test("A store without a model is inspected by its metadata, and errors name what is needed")
    func withoutModel() throws {
        let library = try LibraryStore()
        let xml = library.folder.appendingPathComponent("Library.xml")
        try StoreConversion(OpenedStore(at: library.url)).convert(to: xml, as: .xml)
        let store = try OpenedStore(at: xml)
        #expect(store.metadata.type == "XML")
        #expect(try StoreSummary(of: store).entities.count == 6)
        let errors = [
            #expect(throws: (any Error).self) { try StoreExport(store) },
            #expect(throws: (any Error).self) {
                try StoreFetch(FetchSpecification(entity: "Book"), from: store)
            },
        ]
        for error in errors { #expect(error.map { ErrorText.describe($0) }?.contains("--model") == true) }
        #expect(throws: ToolError.self) { try StoreCheck(store).findings() }
    }
}
