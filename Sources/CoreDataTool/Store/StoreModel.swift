import CoreData
package import CoreDataModelFormat
import CoreDataModelSource
package import Foundation

/// The model of a store, with its origin.
package struct StoreModel: Sendable {
    package enum Origin: Sendable, Hashable {
        /// The cache in the store.
        case cache
        /// A version in a model file.
        case file(String, version: String)
    }

    package let document: ModelDocument
    package let origin: Origin
    package let compiled: CompiledModel

    package init(_ document: ModelDocument, origin: Origin) throws {
        self.document = document
        self.origin = origin
        compiled = try ModelCompiler(document).compile()
    }

    /// Reads the model in a store's cache.
    package static func cached(in store: URL) throws -> StoreModel {
        let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: store)
        return try StoreModel(model.document, origin: .cache)
    }

    /// Reads the version with which a store was made, from a model file or from another store's model. Throws
    /// a `ToolError` that names the most similar version if none fits.
    package static func matching(_ metadata: StoreFacts, in file: URL) throws -> StoreModel {
        let package = try ModelSource(file).package()
        let others = package.versions.filter { $0.name != package.currentVersionName }
        let versions = [package.current] + others
        if let match = versions.first(where: { metadata.differences(from: $0.document).isEmpty }) {
            return try StoreModel(match.document, origin: .file(file.path, version: match.name))
        }
        let nearest = versions.min {
            metadata.differences(from: $0.document).count < metadata.differences(from: $1.document).count
        }!
        let differing = metadata.differences(from: nearest.document).joined(separator: ", ")
        throw ToolError(
            "no version in \(file.path) is the one the store was made with; \(nearest.name) comes nearest and "
                + "differs in \(differing)")
    }

    /// Reads the current version of a model file, for a store that does not record the version with which it
    /// was made.
    package static func current(of file: URL) throws -> StoreModel {
        let version = try ModelSource(file).package().current
        return try StoreModel(version.document, origin: .file(file.path, version: version.name))
    }

    /// Returns an entity by name. Capital and small letters need not match if only one entity fits. Throws a
    /// `ToolError` that lists the entities if none does.
    package func entity(named name: String) throws(ToolError) -> CompiledEntity {
        if let entity = compiled.entity(named: name) { return entity }
        let same = compiled.entities.filter { $0.name.lowercased() == name.lowercased() }
        if same.count == 1 { return same[0] }
        let names = compiled.entities.map(\.name).joined(separator: ", ")
        throw ToolError("the model has no entity \"\(name)\"; it has \(names)")
    }
}
