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

    @Test("A model with mistakes is refused with each of them, not trapped on")
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
