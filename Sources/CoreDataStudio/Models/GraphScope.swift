import CoreDataEditing
import CoreDataModelFormat
import CoreDataStudioInterface

/// The part of a model that a page draws, and how.
struct GraphScope: Sendable {
    let detail: ModelGraph.Detail
    /// The name of a configuration, whose entities alone are drawn.
    let configuration: String?
    /// The path of the entity around which is drawn.
    let entity: String?
    /// The number of links that lead from it at most.
    let steps: Int
    /// Whether the places that entities have are left aside.
    let isArranged: Bool

    init(_ fields: RequestFields) throws {
        switch try fields.text("detail") ?? "all" {
        case "names": detail = .names
        case "keys": detail = .keys
        case "all": detail = .all
        case let other: throw StudioFailure(.malformed, "there is no detail \"\(other)\"")
        }
        configuration = try fields.text("configuration")
        entity = try fields.text("entity")
        steps = try fields.text("steps").flatMap { Int($0) } ?? 1
        isArranged = try fields.text("arrange") == "true"
    }

    /// Returns the names of the entities to draw; nil for all.
    func names(in document: ModelDocument) throws(StudioFailure) -> Set<String>? {
        if let configuration {
            guard let found = document.configurations.first(where: { $0.name == configuration }) else {
                throw StudioFailure(.notFound, "the model has no configuration \"\(configuration)\"")
            }
            return Set(found.entityNames)
        }
        guard let entity else { return nil }
        guard document.entities.contains(where: { $0.name == entity }) else {
            throw StudioFailure(.notFound, "the model has no entity \"\(entity)\"")
        }
        return ModelGraph.neighbours(of: entity, within: steps, in: document)
    }
}
