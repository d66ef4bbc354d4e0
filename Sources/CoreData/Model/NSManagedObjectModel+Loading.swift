package import CoreDataModelFormat
public import Foundation

extension NSManagedObjectModel {
    /// Loads a compiled model: a `.mom` file, or the current version of a `.momd` folder.
    ///
    /// Nil if there is none, it cannot be read, or no coordinator would take its model; the log names every
    /// fault.
    ///
    /// Unlike Apple's: a model that cannot be used is nil here, where Apple's raises an exception when it is
    /// used.
    public convenience init?(contentsOf url: URL) {
        self.init()
        do {
            try read(url)
        } catch {
            FrameworkLog.warning(
                "Failed to load model at path '\(url.path)': \(translated(error).localizedDescription)")
            return nil
        }
    }

    /// Makes the model that a document describes.
    ///
    /// - Throws: An error that names the text of the document that cannot be understood.
    package convenience init(_ document: ModelDocument) throws {
        self.init()
        do {
            try thaw(document)
        } catch {
            throw translated(error)
        }
    }

    /// Returns the models of bundles merged into one; nil if no bundle holds a model.
    ///
    /// Models that define an entity of the same name differently trap, as with `init(byMerging:)`. Reads
    /// every model file of the bundles.
    ///
    /// - Parameter bundles: The bundles to search. Nil stands for the program: the main bundle, all loaded
    ///   ones and the resource folders beside the executable.
    ///
    /// Unlike Apple's: an empty list stands for the program, too, since `Bundle.allBundles` is empty on
    /// Linux.
    public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        let models = ModelFiles(bundles: bundles).urls().compactMap { NSManagedObjectModel(contentsOf: $0) }
        return models.isEmpty ? nil : NSManagedObjectModel(byMerging: models)
    }

    /// Returns every version of every model of the bundles, the current ones first.
    static func allVersions(in bundles: [Bundle]?) -> [NSManagedObjectModel] {
        ModelFiles(bundles: bundles).versionURLs().compactMap { NSManagedObjectModel(contentsOf: $0) }
    }

    /// Returns the first version whose entities have exactly these hashes.
    ///
    /// Reads no model of which a `VersionInfo.plist` (mom §1) says that it has others.
    static func version(of hashes: [String: Data], in bundles: [Bundle]?) -> NSManagedObjectModel? {
        ModelFiles(bundles: bundles).versionURLs(of: hashes).lazy
            .compactMap { NSManagedObjectModel(contentsOf: $0) }
            .first { $0.entityVersionHashesByName == hashes }
    }

    private func read(_ url: URL) throws {
        let version = try ModelFiles.currentVersion(of: url)
        try thaw(file: try PlainFile.contents(at: version.path))
        sourceURL = url
    }
}
