import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import CoreDataModelSource
import CoreDataStudioInterface
import CoreDataTool
import Foundation

/// What a migration from a former version to another does: by the models alone, or for a store.
extension ModelSession {
    /// Returns what became of each entity, what stands in the way, the mapping, and the plan for a store.
    ///
    /// - Parameters:
    ///   - fields: `from`, a version, without which it is the one before; `store`, an open store, without which
    ///     the plan is that for a store without objects.
    ///   - store: Returns the place of a store by its ID.
    func migration(
        to name: String?, _ fields: RequestFields, _ store: @Sendable (String) -> URL?
    ) throws -> JSONValue {
        let version = try version(name)
        guard
            let former = try fields.text("from").map({ try self.version($0) })
                ?? editor.state.predecessor(of: version)
        else { throw StudioFailure(.refused, "there is no version before \"\(version.name)\"") }
        let evolution = ModelEvolution(
            from: try Self.compiled(former), to: try Self.compiled(version))
        var members: [JSONValue.Member] = [
            .init("from", .string(former.name)), .init("to", .string(version.name)),
            .init("entities", .array(Self.entities(evolution))),
            .init("obstacles", .array(evolution.obstacles.map(\.json))),
            .init("mapping", .array(MappingDocument(evolution).entities.map(\.json))),
        ]
        let plan: JSONValue
        if let id = try fields.text("store") {
            guard let place = store(id) else { throw StudioFailure(.notFound, "there is no store \(id)") }
            plan = try Self.plan(of: place, from: url, to: version.document)
            members.append(.init("store", .string(id)))
        } else {
            let empty = try EmptyStore(of: former.document)
            plan = try withExtendedLifetime(empty) {
                try StoreUpgrade(of: empty.url, to: version.document).json(includesStatements: true)
            }
        }
        return .object(members + [.init("plan", plan)])
    }

    /// Plans the migration of a store. One that does not carry its model is made with a version of this one.
    private static func plan(
        of store: URL, from model: URL, to document: ModelDocument
    ) throws -> JSONValue {
        let carried = try? StoreUpgrade(of: store, to: document)
        let upgrade = try carried ?? StoreUpgrade(of: store, from: model, to: document)
        return upgrade.json(includesStatements: true)
    }

    private static func compiled(_ version: EditedVersion) throws(StudioFailure) -> CompiledModel {
        do {
            return try ModelCompiler(version.document).compile()
        } catch {
            throw StudioFailure(
                .refused, "version \"\(version.name)\" has errors: \(ErrorText.describe(error))")
        }
    }

    private static func entities(_ evolution: ModelEvolution) -> [JSONValue] {
        let (source, destination) = (evolution.source, evolution.destination)
        let present = destination.entities.map { entity -> JSONValue in
            let origin = evolution[entity.index]
            let former = origin.map { source[$0.entity] }
            let own = entity.slots.filter { $0.declaringEntity == entity.index }
            let properties = own.compactMap { slot -> JSONValue? in
                let old = evolution.origin(of: slot, in: entity.index)
                guard old?.name != slot.name, origin != nil else { return nil }
                return .object([
                    .init("property", .string(slot.name)),
                    .init("was", old.map { .string($0.name) } ?? .null),
                ])
            }
            let kept = Set(origin?.slots.compactMap { $0 } ?? [])
            let gone = former?.slots.filter {
                $0.declaringEntity == former?.index && !kept.contains($0.index)
            }
            return .object([
                .init("entity", .string(entity.name)), .init("was", former.map { .string($0.name) } ?? .null),
                .init("properties", .array(properties)),
                .init("removed", .array((gone ?? []).map { .string($0.name) })),
            ])
        }
        let gone = source.entities.filter { evolution.successor(of: $0.index) == nil }.map {
            JSONValue.object([.init("entity", .null), .init("was", .string($0.name))])
        }
        return present + gone
    }
}

extension MigrationObstacle {
    fileprivate var json: JSONValue {
        .object([
            .init("entity", .string(entity)), .init("property", property.map { .string($0) } ?? .null),
            .init("reason", .string(reason)),
        ])
    }
}

extension EntityMappingElement {
    fileprivate var json: JSONValue {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        let properties = (attributes + relationships).map { property in
            JSONValue.object([
                .init("property", .string(property.name)),
                .init("value", text(property.value.map { "\($0)" })),
            ])
        }
        return .object([
            .init("name", .string(name)), .init("kind", .string("\(kind)")), .init("from", text(sourceName)),
            .init("to", text(destinationName)), .init("properties", .array(properties)),
        ])
    }
}
