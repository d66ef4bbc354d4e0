public import Foundation

/// A model that is named now and read when needed, with the checksum it must turn out to have.
open class NSManagedObjectModelReference: NSObject {
    public let versionChecksum: String
    private let locate: () -> NSManagedObjectModel?
    private let place: String

    public init(model: NSManagedObjectModel, versionChecksum: String) {
        self.versionChecksum = versionChecksum
        locate = { model }
        place = "the given model"
    }

    public init(fileURL: URL, versionChecksum: String) {
        self.versionChecksum = versionChecksum
        locate = { NSManagedObjectModel(contentsOf: fileURL) }
        place = fileURL.path
    }

    /// The model in a bundle whose entities have these version hashes.
    ///
    /// Nil for `bundle` stands for the program.
    public init(
        entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String
    ) {
        self.versionChecksum = versionChecksum
        let hashes = versionHash as? [String: Data]
        locate = { hashes.flatMap { NSManagedObjectModel.version(of: $0, in: bundle.map { [$0] }) } }
        place = "the models with the given version hashes"
    }

    /// The version of a name in a bundle.
    ///
    /// Nil for `bundle` stands for the program.
    public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
        self.versionChecksum = versionChecksum
        locate = {
            ModelFiles(bundles: bundle.map { [$0] }).versionURLs()
                .first { $0.deletingPathExtension().lastPathComponent == modelName }
                .flatMap { NSManagedObjectModel(contentsOf: $0) }
        }
        place = "the model named \"\(modelName)\""
    }

    private lazy var model: NSManagedObjectModel? = locate()

    /// The model.
    ///
    /// Traps if there is none, or if it has another checksum.
    public var resolvedModel: NSManagedObjectModel {
        do {
            return try resolve()
        } catch {
            programmerError(error.localizedFailureReason ?? error.localizedDescription)
        }
    }

    /// The model, or an error that says what was looked for.
    final func resolve() throws(NSError) -> NSManagedObjectModel {
        guard let model else {
            throw CoreDataError.error(
                NSManagedObjectModelReferenceNotFoundError, reason: "There is no model at \(place).")
        }
        guard model.versionChecksum == versionChecksum else {
            throw CoreDataError.error(
                NSManagedObjectModelReferenceNotFoundError,
                reason:
                    "The version checksum of \(place) is \(model.versionChecksum), not \(versionChecksum).")
        }
        return model
    }
}
