import CoreDataSyncCore
import CoreDataValues
import Testing

@Suite("Two versions of a model")
struct UnitingTests {
    private static func model(
        _ properties: [SyncModel.Property], _ more: [SyncModel.Entity] = []
    ) -> SyncModel {
        SyncModel(entities: [SyncModel.Entity("Note", properties: properties)] + more)
    }

    private static func attribute(_ name: String, _ type: AttributeType, isOptional: Bool = true)
        -> SyncModel.Property
    {
        .init(name, .attribute(type, default: .null), isOptional: isOptional)
    }

    private static func members(minimum: Int, maximum: Int) -> SyncModel.Property {
        .init(
            "notes",
            .relationship(
                .init(to: "Note", inverse: nil, isToMany: true, minimum: minimum, maximum: maximum)))
    }

    @Test("Entities and properties of both are in the united model, whichever came first")
    func additions() throws {
        let first = Self.model([Self.attribute("a", .string), Self.attribute("b", .string)])
        let second = Self.model(
            [Self.attribute("b", .string), Self.attribute("c", .date)], [SyncModel.Entity("Tag")])
        for united in [try first.united(with: second), try second.united(with: first)] {
            let schema = try united.compiled()
            #expect(Set(schema.entities["Note"]?.registers.keys.map(\.self) ?? []) == ["a", "b", "c"])
            #expect(schema.entities["Tag"] != nil)
        }
        #expect(try first.united(with: first) == first)
    }

    @Test("Of two rules the looser counts")
    func looserRules() throws {
        let strict = Self.model([
            Self.attribute("a", .integer16, isOptional: false), Self.members(minimum: 2, maximum: 3),
        ])
        let loose = Self.model([Self.attribute("a", .integer64), Self.members(minimum: 0, maximum: 0)])
        for united in [try strict.united(with: loose), try loose.united(with: strict)] {
            #expect(united == loose)
        }
    }

    @Test("An entity may get a parent and pass attributes on to it, whichever version comes first")
    func parents() throws {
        let first = Self.model([Self.attribute("a", .integer16), Self.attribute("b", .string)])
        let second = SyncModel(entities: [
            SyncModel.Entity("Item", properties: [Self.attribute("a", .integer32)]),
            SyncModel.Entity(
                "Note", parent: "Item",
                properties: [Self.attribute("b", .string), Self.attribute("c", .date)]),
        ])
        for united in [try first.united(with: second), try second.united(with: first)] {
            let schema = try united.compiled()
            #expect(schema.entities["Note"]?.ancestors == ["Item", "Note"])
            #expect(schema.entities["Note"]?.registers.keys.sorted() == ["a", "b", "c"])
            #expect(schema.entities["Item"]?.registers.keys.sorted() == ["a"])
            // The former version adds nothing when it says hello again.
            #expect(try united.united(with: first) == united)
        }
        let many = Self.model([Self.members(minimum: 0, maximum: 0)])
        let passed = SyncModel(entities: [
            SyncModel.Entity("Item", properties: [Self.members(minimum: 0, maximum: 0)]),
            SyncModel.Entity("Note", parent: "Item"),
        ])
        let error = try #require(throws: SyncModelError.self) { try many.united(with: passed) }
        #expect(error.description.hasPrefix("Note.notes: "))
    }

    @Test("One name for different things is an error that names it")
    func contradictions() throws {
        let text = Self.model([Self.attribute("a", .string)])
        let others = [
            Self.model([Self.attribute("a", .date)]),
            Self.model([.init("a", .relationship(.init(to: "Note", inverse: nil)))]),
        ]
        for other in others {
            let error = try #require(throws: SyncModelError.self) { try text.united(with: other) }
            #expect(error.description.hasPrefix("Note.a: "))
        }
        let child = SyncModel(entities: [SyncModel.Entity("Note", parent: "Tag")])
        let other = SyncModel(entities: [SyncModel.Entity("Note", parent: "Item")])
        #expect(throws: SyncModelError.self) { try other.united(with: child) }
        let many = Self.model([Self.members(minimum: 0, maximum: 0)])
        let one = Self.model([.init("notes", .relationship(.init(to: "Note", inverse: nil)))])
        #expect(throws: SyncModelError.self) { try many.united(with: one) }
    }
}
