public import Foundation

/// A reference to a version of a model that is loaded when a staged migration needs it, with the checksum
/// that it must have.
open class NSManagedObjectModelReference: NSObject {
    /// The checksum that the model must have.
    public let versionChecksum: String
    private let locate: () -> NSManagedObjectModel?
    private let origin: String

    /// Makes a reference to a model that is loaded already.
    public init(model: NSManagedObjectModel, versionChecksum: String) {
        self.versionChecksum = versionChecksum
        locate = { model }
        origin = "the given model"
    }

    /// Makes a reference to a compiled model: a `.mom` file or a `.momd` folder.
    public init(fileURL: URL, versionChecksum: String) {
        self.versionChecksum = versionChecksum
        locate = { NSManagedObjectModel(contentsOf: fileURL) }
        origin = fileURL.path
    }

    /// Makes a reference to the model in a bundle whose entities have the given version hashes.
    ///
    /// - Parameters:
    ///   - versionHash: The hashes by entity name.
    ///   - bundle: The bundle to search; nil stands for the program.
    ///   - versionChecksum: The checksum that the model must have.
    public init(
        entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String
    ) {
        self.versionChecksum = versionChecksum
        let hashes = versionHash as? [String: Data]
        locate = { hashes.flatMap { NSManagedObjectModel.version(of: $0, in: bundle.map { [$0] }) } }
        origin = "the models with the given version hashes"
    }

    /// Makes a reference to the version of a model by its name.
    ///
    /// - Parameters:
    ///   - modelName: The name of the `.mom` file, without its extension.
    ///   - bundle: The bundle to search; nil stands for the program.
    ///   - versionChecksum: The checksum that the model must have.
    public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
        self.versionChecksum = versionChecksum
        locate = {
            ModelFiles(bundles: bundle.map { [$0] }).versionURLs()
                .first { $0.deletingPathExtension().lastPathComponent == modelName }
                .flatMap { NSManagedObjectModel(contentsOf: $0) }
        }
        origin = "the model named \"\(modelName)\""
    }

    private lazy var model: NSManagedObjectModel? = locate()

    /// The model, loaded at first use.
    ///
    /// Traps if there is none, or if it has another checksum; a staged migration throws 134504
    /// (`NSManagedObjectModelReferenceNotFoundError`) instead.
    public var resolvedModel: NSManagedObjectModel {
        do {
            return try resolve()
        } catch {
            programmerError(error.localizedFailureReason ?? error.localizedDescription)
        }
    }

    /// Returns the model, or throws an error that names the place that was searched.
    final func resolve() throws(NSError) -> NSManagedObjectModel {
        guard let model else {
            throw CoreDataError.error(
                NSManagedObjectModelReferenceNotFoundError, reason: "There is no model at \(origin).")
        }
        guard model.versionChecksum == versionChecksum else {
            throw CoreDataError.error(
                NSManagedObjectModelReferenceNotFoundError,
                reason:
                    "The version checksum of \(origin) is \(model.versionChecksum), not \(versionChecksum).")
        }
        return model
    }
}
