#if SwiftData
import CoreData
import SwiftData
import Testing

/// Schemas are compared with what Apple's SwiftData noted in a store that it made of the same models.
@Suite("Schemas as models of stores")
struct SchemaHashTests {
    private typealias Entity = Schema.Entity
    private typealias Attribute = Schema.Attribute

    /// Three models without annotations on their relationships.
    private func schema() -> Schema {
        Schema(
            Entity(
                "Item",
                properties: Attribute(name: "name", options: [.unique], valueType: String.self),
                plain("craftingRecipe", "CraftingRecipe", Any?.self)),
            Entity(
                "Component",
                properties: Attribute(name: "id", valueType: UUID.self, defaultValue: UUID()),
                Attribute(name: "count", valueType: Int.self, defaultValue: 1),
                plain("item", "Item", Any?.self), plain("craftingRecipe", "CraftingRecipe", Any?.self)),
            Entity(
                "CraftingRecipe", properties: plain("requiredComponents", "Component", [Any].self),
                Attribute(name: "producedItemCount", valueType: String.self, defaultValue: "1"),
                plain("producedItem", "Item", Any?.self)))
    }

    private func plain(_ name: String, _ destination: String, _ type: Any.Type) -> Schema.Relationship {
        let relationship = Schema.Relationship(name: name, valueType: type, destination: destination)
        relationship.isAnnotated = false
        return relationship
    }

    @Test("Entities, model digest and checksum have the hashes that Apple's SwiftData writes")
    func hashes() throws {
        let model = try NSManagedObjectModel.makeManagedObjectModel(for: schema())
        let hashes = model.entityVersionHashesByName.mapValues { $0.base64EncodedString() }
        #expect(
            hashes == [
                "Item": "aDosZj1R/mD7pBZf63kAh77Ycdg3umToHrHog2QowqU=",
                "Component": "/IAgOoozmxSP0LbDsOWGomBZFWPPZ4CkBuafGKafhAY=",
                "CraftingRecipe": "rMbIICaQP9i9dKOWWYj/uEDAeUEZzMnWs2Cgp1MQRhc=",
            ])
        #expect(model.versionChecksum == "6T24D3nNvz6qsg0dO7y7IA3tlbZ0QpK/AwmP5KiXXgw=")
    }

    @Test("Two relationships without annotations are inverses if no other one could be meant")
    func impliedInverses() throws {
        let entities = schema().entitiesByName
        let component = try #require(entities["Component"])
        #expect(component.relationshipsByName["craftingRecipe"]?.inverseName == "requiredComponents")
        #expect(component.relationshipsByName["item"]?.inverseName == nil)
        let other = try #require(entities["CraftingRecipe"])
        #expect(other.relationshipsByName["producedItem"]?.inverseName == "craftingRecipe")
    }

    @Test("Two annotated relationships without `inverse:` have no inverse")
    func annotatedSides() {
        let schema = Schema(
            Entity("A", properties: Schema.Relationship(name: "b", valueType: Any?.self, destination: "B")),
            Entity("B", properties: Schema.Relationship(name: "all", valueType: [Any].self, destination: "A"))
        )
        #expect(schema.entities.flatMap(\.relationships).allSatisfy { $0.inverseName == nil })
    }

    @Test("An inverse that one side names is the inverse of both")
    func namedInverse() throws {
        let schema = Schema(
            Entity(
                "A",
                properties: Schema.Relationship(
                    name: "b", valueType: Any?.self, destination: "B", inverseName: "all")),
            Entity("B", properties: plain("all", "A", [Any].self), plain("others", "A", [Any].self)))
        #expect(schema.entitiesByName["B"]?.relationshipsByName["all"]?.inverseName == "b")
        #expect(schema.entitiesByName["B"]?.relationshipsByName["others"]?.inverseName == nil)
        let model = try NSManagedObjectModel.makeManagedObjectModel(for: schema)
        let side = try #require(model.entitiesByName["B"]?.relationshipsByName["all"])
        #expect(side.inverseRelationship?.name == "b")
    }

    @Test("A relationship with two possible inverses has none")
    func ambiguousInverse() {
        let schema = Schema(
            Entity("A", properties: plain("b", "B", Any?.self), plain("c", "B", Any?.self)),
            Entity("B", properties: plain("all", "A", [Any].self)))
        #expect(schema.entities.flatMap(\.relationships).allSatisfy { $0.inverseName == nil })
    }

    @Test("Parent and children of one class are inverses; a relationship alone is not its own")
    func inversesWithinAClass() {
        let tree = Schema(
            Entity(
                "Node", properties: plain("parent", "Node", Any?.self), plain("children", "Node", [Any].self))
        )
        #expect(tree.entities[0].relationshipsByName["parent"]?.inverseName == "children")
        let friend = Schema(Entity("Person", properties: plain("friend", "Person", Any?.self)))
        #expect(friend.entities[0].relationshipsByName["friend"]?.inverseName == nil)
    }
}
#endif
