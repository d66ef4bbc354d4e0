package import CoreDataModelFormat
public import Foundation

extension NSManagedObjectModel {
    /// The model in a compiled model file: a `.mom`, or the current version of a `.momd` folder.
    ///
    /// Nil if there is none or it cannot be read; the log says why.
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

    /// A model that says what the document says.
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

    /// The models of bundles in one.
    ///
    /// Nil for `bundles` stands for the program: the main bundle, all loaded ones and the resource folders
    /// beside the executable; so does `Bundle.allBundles`, which is empty on Linux. Nil if no bundle holds a
    /// model.
    ///
    /// Models that define an entity of the same name differently trap, as with `init(byMerging:)`.
    public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        let models = ModelFiles(bundles: bundles).urls().compactMap { NSManagedObjectModel(contentsOf: $0) }
        return models.isEmpty ? nil : NSManagedObjectModel(byMerging: models)
    }

    /// Every version of every model of the bundles, the current ones first.
    static func allVersions(in bundles: [Bundle]?) -> [NSManagedObjectModel] {
        ModelFiles(bundles: bundles).versionURLs().compactMap { NSManagedObjectModel(contentsOf: $0) }
    }

    /// The first version whose entities have exactly these hashes.
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
