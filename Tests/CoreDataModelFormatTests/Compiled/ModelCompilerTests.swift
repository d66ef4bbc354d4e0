import CoreDataModelFormat
import CoreDataValues
import Testing

@Suite("Model compiler")
struct ModelCompilerTests {
    @Test("Subentities follow their entity, inherited properties come first and keep their numbers")
    func flattening() throws {
        let model = try ModelCompiler(
            ModelDocument(entities: [
                EntityElement(name: "b", attributes: [AttributeElement(name: "z", type: .string)]),
                EntityElement(
                    name: "Leaf", parentName: "Root", attributes: [AttributeElement(name: "a", type: .date)]),
                EntityElement(name: "Root", attributes: [AttributeElement(name: "m", type: .boolean)]),
            ])
        ).compile()
        #expect(model.entities.map(\.name) == ["b", "Root", "Leaf"])
        #expect(model.entity(named: "Leaf")?.slots.map(\.name) == ["m", "a"])
        #expect(model.entity(named: "Root")?.family == 1..<3)
    }

    @Test("A property is found by its name, whatever storage the name's string has")
    func names() throws {
        let names = (0..<200).flatMap { ["p\($0)", "a property with a long name \($0)", "größe\($0)"] }
        let entity = try #require(
            ModelCompiler(
                ModelDocument(entities: [
                    EntityElement(
                        name: "A", attributes: names.map { AttributeElement(name: $0, type: .string) })
                ])
            ).compile().entity(named: "A"))
        for name in names {
            #expect(entity.slot(named: name)?.name == name)
            // A copy in separate memory, with spare capacity.
            var copy = String()
            copy.reserveCapacity(100)
            copy += name
            #expect(entity.slot(named: copy)?.name == name)
            #expect(entity.slot(named: name + "0 no more") == nil)
        }
        #expect(entity.slot(named: "") == nil)
        #expect(entity.slot(named: "p") == nil)
        #expect(entity.slot(named: "gro\u{308}ße1")?.name == "größe1")
    }

    @Test("A model with mistakes is refused with a list of all of them")
    func mistakes() {
        let document = ModelDocument(entities: [
            EntityElement(name: "A", parentName: "Nowhere"), EntityElement(name: "B", parentName: "C"),
            EntityElement(name: "C", parentName: "B"), EntityElement(name: "D", parentName: "B"),
            EntityElement(
                name: "E", attributes: [AttributeElement(name: "d", type: .date, derivationExpression: "(")],
                relationships: [RelationshipElement(name: "r", destinationName: "X")]),
        ])
        let failure = #expect(throws: ModelCompiler.Failure.self) { try ModelCompiler(document).compile() }
        #expect(failure?.diagnostics.map(\.elementPath).sorted() == ["A", "B", "C", "E.d", "E.r"])
    }
}
