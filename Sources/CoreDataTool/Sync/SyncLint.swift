import CoreData
import CoreDataModelFormat
import CoreDataSync
import CoreDataSyncCore

/// What syncing does with a model: its entities and properties with their rules, what cannot be synced, and whether
/// devices with an older version can go on.
package struct SyncLint: Sendable {
    /// What is synced, one line an entity or property.
    package let lines: [String]
    package let problems: [String]

    /// - Parameter older: The version of the model that other devices have.
    package init(_ model: ModelSource, after older: ModelSource? = nil) throws {
        var problems: [String] = []
        var schemas: [SyncSchema] = []
        for source in [model, older].compactMap(\.self) {
            do {
                schemas.append(try Self.schema(of: source))
            } catch let error as StoreSyncError {
                problems.append(error.description)
            }
        }
        lines = problems.isEmpty ? schemas.first.map(Self.lines) ?? [] : []
        if schemas.count == 2 {
            do {
                _ = try schemas[1].model.united(with: schemas[0].model).compiled()
            } catch {
                problems.append("devices with the older version cannot go on: \(error.description)")
            }
        }
        self.problems = problems
    }

    private static func schema(of source: ModelSource) throws -> SyncSchema {
        let document = PlainModel.document(from: try source.document())
        return try StoreSynchronizer.schema(of: try NSManagedObjectModel(document))
    }

    private static func lines(_ schema: SyncSchema) -> [String] {
        schema.entities.values.sorted { $0.name < $1.name }.flatMap { entity -> [String] in
            var rules: [String] = []
            if !entity.identity.isEmpty {
                rules.append("known by \(entity.identity.joined(separator: ", "))")
            }
            rules += entity.unique.map { "unique by \($0.attributes.joined(separator: ", "))" }
            if entity.editsWin { rules.append("an edit brings it back") }
            let head = entity.name + (rules.isEmpty ? "" : ": " + rules.joined(separator: "; "))
            let values = entity.values.map { "    \($0.name): \(text($0.rule))" }
            let lists = entity.collections.sorted { $0.key < $1.key }.map { name, rule in
                "    \(name): those whose \(rule.reference) leads here\(rule.isOrdered ? ", in their order" : "")"
            }
            let pairs = schema.pairs.sorted { $0.key < $1.key }.flatMap { _, rule in
                (rule.isMirrored ? [rule.first] : [rule.first, rule.second]).compactMap { side -> String? in
                    guard let name = side.relationship, entity.ancestors.contains(side.entity) else {
                        return nil
                    }
                    return "    \(name): each pair by itself\(side.isOrdered ? ", in their order" : "")"
                }
            }
            return [head] + values + lists + pairs
        }
    }

    private static func text(_ rule: RegisterRule) -> String {
        switch rule {
        case .attribute(let rule): text(rule.merge)
        case .group(let elements): "\(elements.keys.sorted().joined(separator: ", ")) as one, the later wins"
        case .reference(let rule):
            "to \(rule.target), the later wins\(rule.isAcyclic ? ", without cycles" : "")"
        case .position(let reference): "the place in \(reference)"
        }
    }

    private static func text(_ rule: MergeRule) -> String {
        switch rule {
        case .latest: "the later wins"
        case .ask: "the later wins, and the app of the other device is asked"
        case .counter: "additions of all devices count"
        case .max: "the greater wins"
        case .min: "the smaller wins"
        case .first: "the earlier wins"
        }
    }
}
