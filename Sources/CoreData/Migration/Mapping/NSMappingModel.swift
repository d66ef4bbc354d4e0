import CoreDataModelFormat
public import Foundation

/// How the objects of one model become those of another: read from a compiled mapping model, inferred from two models, or
/// made in code.
open class NSMappingModel: NSObject {
    /// In the order in which they are carried out.
    open var entityMappings: [NSEntityMapping]!

    public override init() {
        super.init()
        entityMappings = []
    }

    /// The mapping model that leads from one model to the other, among the `.cdm` files of the bundles: one whose entity
    /// mappings are all for entities of these versions, and name all concrete ones if there is such. Nil if there is none.
    /// Nil for `bundles` stands for the program, as with `NSManagedObjectModel.mergedModel(from:)`.
    public convenience init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        guard let sourceModel, let destinationModel,
            let found = MappingFiles(bundles: bundles).match(from: sourceModel, to: destinationModel)
        else { return nil }
        self.init(found.document)
    }

    /// A compiled mapping model, a `.cdm`. Nil if there is none or it cannot be read; the log says why.
    public convenience init?(contentsOf url: URL?) {
        guard let url else { return nil }
        do {
            self.init(try CompiledMappingReader().read(at: url))
        } catch {
            FrameworkLog.warning(
                "Failed to load mapping model at path '\(url.path)': "
                    + (translated(error).localizedFailureReason ?? "\(error)"))
            return nil
        }
    }

    /// The mapping that two models say by themselves: what has the same name or renaming identifier is the same.
    ///
    /// - Throws: `NSInferredMappingModelError`, with the first thing that cannot be inferred under "entity", "property"
    ///   and "reason", and all of them as texts under "NSMigrationObstacles".
    open class func inferredMappingModel(
        forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel {
        let evolution: ModelEvolution
        do {
            evolution = try ModelEvolution(fromModel: sourceModel, toModel: destinationModel)
        } catch {
            throw translated(error)
        }
        if let obstacle = evolution.obstacles.first { throw evolution.inferenceError(obstacle) }
        return NSMappingModel(MappingDocument(evolution))
    }

    open var entityMappingsByName: [String: NSEntityMapping] {
        Dictionary((entityMappings ?? []).map { ($0.name ?? "", $0) }) { first, _ in first }
    }

    // MARK: NSObject

    /// Returns whether both have equal mappings in the same order.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSMappingModel else { return false }
        return other === self || other.entityMappings == entityMappings
    }

    open override var hash: Int { entityMappings?.count ?? 0 }

    open override var description: String {
        "(<NSMappingModel>) entityMappings \((entityMappings ?? []).map(\.description))"
    }
}

extension NSMappingModel {
    convenience init(_ document: MappingDocument) {
        self.init()
        entityMappings = document.entities.map(NSEntityMapping.init)
    }

    final var document: MappingDocument {
        MappingDocument(entities: (entityMappings ?? []).map(\.element))
    }
}
