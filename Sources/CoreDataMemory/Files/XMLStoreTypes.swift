import CoreDataModelFormat
import CoreDataStore

/// The names that an XML store has for the entities of a model: in capital letters (xml-store §1).
struct XMLStoreTypes {
    private let entities: [String: [CompiledEntity]]

    init(_ model: CompiledModel) {
        entities = Dictionary(grouping: model.entities) { $0.name.uppercased() }
    }

    /// Finds an entity by its name in a file. If several entities have the name there, returns the first.
    subscript(type: String) -> CompiledEntity? { entities[type.uppercased()]?.first }

    /// Returns the escaped name of an entity in a file.
    func type(of entity: CompiledEntity) throws(StoreError) -> String {
        try XMLText.escapedName(entity.name.uppercased(), of: entity.name)
    }

    /// Returns another entity that has the same name in a file.
    func namesake(of entity: CompiledEntity) -> CompiledEntity? {
        entities[entity.name.uppercased()]?.first { $0.index != entity.index }
    }
}
