import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import CoreDataModelSource
import CoreDataStudioInterface
import Foundation

/// The version hashes of an entity, by which a store knows whether it has to be migrated.
extension ModelSession {
    /// Returns the hash of an entity now, and the one it had: in the version as it was saved, or if nothing of that
    /// has changed, in the version before.
    func hashes(of name: String, _ versionName: String?) throws -> JSONValue {
        let version = try version(versionName)
        guard let entity = version.document.entities.first(where: { $0.name == name }) else {
            throw StudioFailure(.notFound, "the model has no entity \"\(name)\"")
        }
        let after = Self.hash(of: entity, in: version.document)
        let saved = files.package.version(named: version.name)?.document
        let former: (title: String, document: ModelDocument)
        if let saved, saved != version.document {
            former = ("saved", saved)
        } else if let predecessor = editor.state.predecessor(of: version) {
            former = (predecessor.name, predecessor.document)
        } else {
            return .object([.init("after", after)])
        }
        let identity = entity.renamingIdentifier ?? name
        let origin = former.document.entities.first { ($0.renamingIdentifier ?? $0.name) == identity }
        let before = origin.map { Self.hash(of: $0, in: former.document) } ?? .null
        return .object([
            .init("after", after), .init("before", before), .init("since", .string(former.title)),
            .init("needsMigration", .boolean(before != after)),
        ])
    }

    private static func hash(of entity: EntityElement, in document: ModelDocument) -> JSONValue {
        let hash = VersionHashes(document).byEntity[entity.name]
        return hash.map { .string($0.base64EncodedString()) } ?? .null
    }
}
