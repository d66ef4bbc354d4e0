import CoreDataModelFormat
public import Foundation

/// A description of how the objects of one model become those of another: read from a compiled mapping model,
/// inferred from two models, or made in code.
open class NSMappingModel: NSObject {
    /// The entity mappings, in the order in which they are carried out.
    open var entityMappings: [NSEntityMapping]!

    /// Makes a mapping model without mappings.
    public override init() {
        super.init()
        entityMappings = []
    }

    /// Finds the mapping model that leads from one model to the other among the `.cdm` files of bundles; nil
    /// if there is none.
    ///
    /// It is one whose entity mappings are all for entities of these versions. One that names all concrete
    /// entities is preferred. Each call searches and reads the files.
    ///
    /// - Parameters:
    ///   - bundles: The bundles to search; nil, or an empty list, stands for the program, as with
    ///     `NSManagedObjectModel.mergedModel(from:)`.
    ///   - sourceModel: The model of the store that is to be migrated.
    ///   - destinationModel: The model that the store is to have.
    ///
    /// Unlike Apple's: a mapping model for some entities is found if there is none for all. An automatic
    /// migration takes it, with a warning, if it is the only one.
    public convenience init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        guard let sourceModel, let destinationModel,
            let found = MappingFiles(bundles: bundles).match(from: sourceModel, to: destinationModel)
        else { return nil }
        self.init(found.document)
    }

    /// Reads a compiled mapping model, a `.cdm` file; nil if there is none or it cannot be read, and the log
    /// says why.
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

    /// Returns the mapping that two models imply: elements of the same name or renaming identifier are the
    /// same.
    ///
    /// - Throws: 134190 (`NSInferredMappingModelError`) of `NSCocoaErrorDomain`, with the first thing that
    ///   cannot be inferred under "entity", "property" and "reason", and all of them as texts under
    ///   "NSMigrationObstacles"; the error of a model that cannot be used.
    ///
    /// Unlike Apple's: entities without a common parent may get one, which gives some rows new keys. Where
    /// renaming identifiers do not match, an identifier that is the older name, and then equal names, are
    /// taken for the same element.
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

    /// The entity mappings by their names; the first of several with the same name.
    open var entityMappingsByName: [String: NSEntityMapping] {
        Dictionary((entityMappings ?? []).map { ($0.name ?? "", $0) }) { first, _ in first }
    }

    // MARK: NSObject

    /// Returns whether both have equal mappings in the same order.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSMappingModel else { return false }
        return other === self || other.entityMappings == entityMappings
    }

    /// A hash value of the number of mappings.
    open override var hash: Int { entityMappings?.count ?? 0 }

    /// The descriptions of the mappings.
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
