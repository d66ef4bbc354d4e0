import CoreDataModelFormat
import CoreDataValues
import Testing

@Suite("Matching entities and properties of two model versions")
struct ModelEvolutionTests {
    private func name(_ name: String, _ identifier: String? = nil) -> VersionedName {
        VersionedName(name, renamingIdentifier: identifier)
    }

    @Test("Elements are matched by identifier, then by the older name, then by name")
    func matching() {
        let old = [name("a"), name("b", "first"), name("c", "third"), name("d")]
        let new = [name("b", "a"), name("x", "first"), name("y", "c"), name("d", "other")]
        #expect(new.predecessors(among: old) == ["b": "a", "x": "b", "y": "c", "d": "d"])
    }

    @Test("An element has at most one predecessor, and its own name takes precedence")
    func uniqueness() {
        let old = [name("a"), name("b")]
        let new = [name("c", "a"), name("a"), name("b")]
        #expect(new.predecessors(among: old) == ["a": "a", "b": "b"])
    }

    private func obstacles(_ old: [EntityElement], _ new: [EntityElement]) throws -> [String] {
        ModelEvolution(
            from: try ModelCompiler(ModelDocument(entities: old)).compile(),
            to: try ModelCompiler(ModelDocument(entities: new)).compile()
        ).obstacles.map(\.description)
    }

    private func entity(
        _ name: String, _ attributes: [String: AttributeType] = [:], to destination: String? = nil,
        isToMany: Bool = false
    ) -> EntityElement {
        EntityElement(
            name: name,
            attributes: attributes.sorted { $0.key < $1.key }.map { AttributeElement(name: $0, type: $1) },
            relationships: destination.map {
                [RelationshipElement(name: "other", destinationName: $0, maximumCount: isToMany ? 0 : 1)]
            } ?? [])
    }

    @Test("A change that cannot be inferred is reported with its reason, property by property")
    func obstacles() throws {
        #expect(
            try obstacles(
                [entity("A", ["x": .string, "y": .date, "z": .double])],
                [entity("A", ["x": .integer16, "y": .string, "z": .decimal])]) == [
                    "A.x: Source and destination attribute types are incompatible (String and Integer 16)",
                    "A.y: Source and destination attribute types are incompatible (Date and String)",
                ])
        #expect(
            try obstacles(
                [entity("A", to: "B", isToMany: true), entity("B")], [entity("A", to: "B"), entity("B")])
                == ["A.other: A to-many relationship cannot become a to-one relationship"])
        let retargeted = try obstacles(
            [entity("A", to: "B"), entity("B"), entity("C")],
            [entity("A", to: "C"), entity("B"), entity("C")])
        try #require(retargeted.count == 1)
        #expect(retargeted[0].hasPrefix("A.other: Source and destination entities"))
    }

    @Test("No mapping is inferred for two elements with the same renaming identifier")
    func duplicates() throws {
        let new = ["B", "C"].map { EntityElement(name: $0, renamingIdentifier: "A") }
        #expect(
            try obstacles([EntityElement(name: "A")], new) == [
                "B: Duplicate renaming identifier \"A\"", "C: Duplicate renaming identifier \"A\"",
            ])
    }

    @Test("Inferred mappings have Apple's names, and say where each value comes from")
    func inference() throws {
        let evolution = ModelEvolution(
            from: try ModelCompiler(ModelDocument(entities: [entity("A", ["x": .string]), entity("Old")]))
                .compile(),
            to: try ModelCompiler(
                ModelDocument(entities: [entity("A", ["x": .string, "y": .date]), entity("New")])
            ).compile())
        let mapping = MappingDocument(evolution)
        #expect(mapping.entities.map(\.name) == ["IEM_Transform_A", "IEM_Add_New", "IEM_Remove_Old"])
        #expect(mapping.entities.map(\.kind) == [.transform, .add, .remove])
        #expect(
            mapping.entities[0].attributes.map(\.value) == [MappingExpression.sourceValue("x"), nil])
    }
}
