import CoreDataJSON
import CoreDataModelFormat
import CoreDataStudioInterface
import CoreDataTool

/// A store as its page sees it first: metadata, and the entities of its model.
extension StoreSession {
    var description: JSONValue {
        let compiled = model.compiled
        var members: [JSONValue.Member] = []
        if case .object(let summary) = summary { members = summary }
        return .object(
            members + [
                .init("metadata", metadata),
                .init(
                    "entities", .array(compiled.entities.map { PropertyDescription.json($0, in: compiled) })),
                .init("differences", .array(facts.differences(from: model.document).map { .string($0) })),
            ])
    }

    private var metadata: JSONValue {
        let origin: String =
            switch model.origin {
            case .cache: "the model in the store"
            case .file(let path, let version): "\(path), version \(version)"
            }
        return .object([
            .init("uuid", .string(facts.uuid)), .init("type", .string(facts.type)),
            .init("framework", facts.frameworkVersion.map { .integer(Int64($0)) } ?? .null),
            .init("model", .string(origin)), .init("checksum", facts.checksum.map { .string($0) } ?? .null),
            .init("versionIdentifiers", .array(facts.versionIdentifiers.map { .string($0) })),
            .init(
                "others",
                .object(facts.others.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })),
        ])
    }

    /// Counts the objects of an entity without its subentities, and with them.
    func count(of entity: CompiledEntity) throws -> JSONValue {
        var specification = FetchSpecification(entity: entity.name, includesSubentities: false)
        let own = try TimeLimit.run { try source.count(specification) }
        specification.includesSubentities = true
        let all = entity.hasSubentities ? try TimeLimit.run { try source.count(specification) } : own
        return .object([
            .init("entity", .string(entity.name)), .init("own", .integer(Int64(own))),
            .init("all", .integer(Int64(all))),
        ])
    }
}
