import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Testing

@Suite("Layouts of rows")
struct RowLayoutTests {
    private static func attributes(_ prefix: String, _ count: Int) -> [AttributeElement] {
        (0..<count).map { AttributeElement(name: "\(prefix)\($0)", type: .string) }
    }

    @Test(
        "A column has the same place in the rows of an entity and of all its subentities",
        arguments: [1, 63, 64, 65, 128])
    func inheritance(inherited: Int) throws {
        let document = ModelDocument(entities: [
            EntityElement(name: "Parent", attributes: Self.attributes("a", inherited)),
            EntityElement(name: "Child", parentName: "Parent", attributes: Self.attributes("b", 40)),
            EntityElement(name: "Grandchild", parentName: "Child", attributes: Self.attributes("c", 70)),
        ])
        let model = try ModelCompiler(document, parseExpression: { .keyPath($0) }).compile()
        let layouts = RowLayouts(model)
        func layout(_ entity: String) throws -> RowLayout {
            layouts[try #require(model.entities.first { $0.name == entity }).index]
        }
        let parent = try layout("Parent").columns.map(\.offset)
        let child = try layout("Child").columns.map(\.offset)
        let grandchild = try layout("Grandchild").columns.map(\.offset)
        #expect(parent.count == inherited && grandchild.count == inherited + 110)
        #expect(Array(child.prefix(parent.count)) == parent)
        #expect(Array(grandchild.prefix(child.count)) == child)
    }
}
