import CoreDataSyncCore
import CoreDataValues
import Testing

@Suite("Sync schema")
struct SyncModelTests {
    @Test("A model comes back from bytes as it was")
    func roundTrip() throws {
        let wire = TestModel.library.wire
        #expect(try SyncModel(wire: CBORReader.read(CBORWriter.bytes(of: wire))) == TestModel.library)
    }

    @Test("Objects have a register for each attribute, group, reference and place")
    func registers() throws {
        let schema = try TestModel.library.compiled()
        let book = try #require(schema.entities["Book"])
        #expect(
            book.registers.keys.sorted() == [
                "copies", "isbn", "place", "prequel", "rating", "shelf", "shelf#", "title",
            ])
        #expect(schema.mergeRule("copies", of: "Book") == .counter)
        #expect(schema.mergeRule("rating", of: "Book") == .max)
        #expect(schema.mergeRule("title", of: "Book") == .latest)
        #expect(schema.entities["Shelf"]?.collections["books"]?.reference == "shelf")
        #expect(schema.pairs.keys.sorted() == ["Book.tags", "Library.topics"])
        #expect(schema.isKind("Novel", of: "Book") && !schema.isKind("Book", of: "Novel"))
        #expect(schema.entities["Novel"]?.registers["title"] != nil)
    }

    @Test(
        "A model whose entities inherit too much is refused before it is compiled, however few bytes it has")
    func sizes() throws {
        func chain(_ length: Int) -> SyncModel {
            SyncModel(
                entities: (0..<length).map { number in
                    SyncModel.Entity("\(number)", parent: number > 0 ? "\(number - 1)" : nil)
                })
        }
        _ = try chain(300).compiled()
        let error = #expect(throws: SyncModelError.self) { try chain(20_000).compiled() }
        #expect(error?.description.contains("too large") == true)
    }

    private func model(_ properties: [SyncModel.Property], userInfo: [String: String] = [:]) -> SyncModel {
        SyncModel(entities: [.init("A", properties: properties, userInfo: userInfo)])
    }

    @Test("A rule that makes no sense is an error that names the property")
    func errors() {
        let text = SyncModel.Kind.attribute(.string, default: .null)
        let models: [(SyncModel, String)] = [
            (model([.init("x", text, userInfo: ["SyncMerge": "sum"])]), "A.x: SyncMerge cannot be sum"),
            (
                model([.init("x", text, userInfo: ["SyncMerge": "counter"])]),
                "A.x: only integers and decimals can be counters"
            ),
            (
                model([.init("x", .attribute(.integer16, default: .string("")))]),
                "A.x: the default has another type"
            ),
            (model([], userInfo: ["SyncDelete": "never"]), "A: SyncDelete cannot be never"),
            (
                model([], userInfo: ["SyncIdentity": "y"]),
                "A.y: only an attribute can be unique or an identity"
            ),
            (model([.init("x", .relationship(.init(to: "B", inverse: nil)))]), "A.x: there is no entity B"),
            (model([.init("x", .relationship(.init(to: "A", inverse: "y")))]), "A.x: A.y is not its inverse"),
            (SyncModel(entities: [.init("A", parent: "A")]), "A: it inherits from itself"),
            (SyncModel(entities: [.init("A"), .init("A")]), "A: the name is there twice"),
            (model([.init("x", text), .init("x", text)]), "A.x: the name is there twice"),
        ]
        for (model, message) in models {
            #expect(throws: SyncModelError.self) { try model.compiled() }
            do { _ = try model.compiled() } catch { #expect(error.description == message) }
        }
    }

    @Test("A value is accepted if it fits the type")
    func types() throws {
        let book = try #require(try TestModel.library.compiled().entities["Book"])
        let accepted: [(String, SyncValue, Bool)] = [
            ("title", .string("a"), true), ("title", .integer(1), false), ("title", .null, true),
            ("rating", .integer(40000), false), ("rating", .integer(5), true),
            ("shelf", .reference(SyncID(high: 0, low: 1)), true),
            ("shelf", .uuid(SyncID(high: 0, low: 1)), false),
            ("place", .group(["latitude": .real(1), "longitude": .null]), true),
            ("place", .group(["height": .real(1)]), false), ("place", .real(1), false),
        ]
        for (register, value, isAccepted) in accepted {
            #expect(book.registers[register]?.accepts(value) == isAccepted, "\(register) = \(value)")
        }
    }
}
