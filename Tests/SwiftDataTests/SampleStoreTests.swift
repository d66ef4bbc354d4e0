#if SwiftData
import CoreData
import CoreDataSQL
import CoreDataSQLite
import SwiftData
import Testing

/// The models of a store that Apple's SwiftData wrote, without what they compute.
private enum Recipes {
    @Model
    final class Item {
        @Attribute(.unique) var name: String
        var craftingRecipe: CraftingRecipe?

        init(name: String) { self.name = name }
    }

    @Model
    final class Component {
        var id = UUID()
        var count: Int = 1
        var item: Item?
        var craftingRecipe: CraftingRecipe?

        init() {}
    }

    @Model
    final class CraftingRecipe {
        var requiredComponents: [Component] = []
        var producedItemCount = "1"
        var producedItem: Item?

        init() {}
    }
}

@Suite("Stores of Apple's SwiftData")
struct SampleStoreTests {
    @Test("Classes make the model of a store that Apple's SwiftData wrote of the same classes")
    func hashes() throws {
        let schema = Schema(Recipes.Item.self)
        #expect(schema.entities.map(\.name) == ["Component", "CraftingRecipe", "Item"])
        let model = try NSManagedObjectModel.makeManagedObjectModel(for: schema)
        #expect(model.versionChecksum == "6T24D3nNvz6qsg0dO7y7IA3tlbZ0QpK/AwmP5KiXXgw=")
    }

    @Test(
        "A store whose history has no transaction yet, as Apple's makes it, notes the tables with the first")
    func emptyHistory() throws {
        let store = try ScratchStore()
        defer { store.remove() }
        _ = try store.container(Recipes.Item.self)
        let connection = try SQLiteConnection(path: store.url.path, access: .readWrite)
        try connection.execute("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 16000")
        let context = ModelContext(try store.container(Recipes.Item.self))
        for name in ["a", "b"] {
            context.insert(Recipes.Item(name: name))
            try context.save()
        }
        let noted = try connection.prepare("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'TRANSACTION'")
        #expect(try noted.step())
        #expect(noted.integer(at: 0) == 2)
        noted.reset()
    }

    /// The sample is not part of the repository: CORE_DATA_TEST_SWIFTDATA_STORE names a copy of it.
    static let sample = ProcessInfo.processInfo.environment["CORE_DATA_TEST_SWIFTDATA_STORE"]

    @Test("A store of Apple's is opened, changed and read again", .enabled(if: sample != nil))
    func opening() throws {
        let store = try ScratchStore()
        defer { store.remove() }
        try FileManager.default.copyItem(atPath: try #require(Self.sample), toPath: store.url.path)
        let wal = try #require(Self.sample) + "-wal"
        if FileManager.default.fileExists(atPath: wal) {
            try FileManager.default.copyItem(atPath: wal, toPath: store.url.path + "-wal")
        }
        let context = ModelContext(try store.container(Recipes.Item.self))
        let names = try context.fetch(FetchDescriptor<Recipes.Item>()).map(\.name)
        for component in try context.fetch(FetchDescriptor<Recipes.Component>()) {
            #expect(component.craftingRecipe?.requiredComponents.contains(component) ?? true)
        }
        let recipe = Recipes.CraftingRecipe()
        recipe.producedItem = Recipes.Item(name: "a new item")
        recipe.requiredComponents = [Recipes.Component()]
        context.insert(recipe)
        try context.save()
        let again = ModelContext(try store.container(Recipes.Item.self))
        let found = try again.fetch(
            FetchDescriptor<Recipes.Item>(predicate: #Predicate { $0.craftingRecipe?.producedItem != nil }))
        #expect(found.contains { $0.name == "a new item" })
        #expect(try again.fetchCount(FetchDescriptor<Recipes.Item>()) == names.count + 1)
    }
}
#endif
