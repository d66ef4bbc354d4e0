import CoreDataModelFormat
package import Foundation

/// A reader of model packages on disk (xcdatamodel §1, mom §1).
///
/// A malformed version makes the whole read fail with an error that names its file.
package struct ModelReader {
    /// The files of a package, before any version is read.
    private struct Listing {
        let name: String
        let versions: [URL]
        let currentVersionName: String
        let isVersioned: Bool
        var assumesCurrentVersion = false
    }

    private let files = ModelFileSystem()

    package init() {}

    /// Reads all versions of the package or file at `url`, of any kind.
    package func read(_ url: URL) throws -> ModelPackage {
        if url.pathExtension == Self.textExtension { return try readText(url) }
        let listing = try listing(url)
        return try ModelPackage(
            name: listing.name, versions: listing.versions.map { try version($0, in: listing) },
            currentVersionName: listing.currentVersionName, isVersioned: listing.isVersioned,
            assumesCurrentVersion: listing.assumesCurrentVersion)
    }

    /// Reads a version. If it is assumed to be the current one, that is among its diagnostics.
    private func version(_ url: URL, in listing: Listing) throws -> ModelVersion {
        let version = try version(url)
        let isCurrent = version.name == listing.currentVersionName
        guard listing.assumesCurrentVersion, isCurrent else { return version }
        let note = Diagnostic(
            .error,
            "the package has several versions and no .xccurrentversion that names the current one: "
                + "\"\(version.name)\" is assumed to be, as the last by name, until one is made current")
        return ModelVersion(
            name: version.name, document: version.document, locations: version.locations,
            diagnostics: [note] + version.diagnostics)
    }

    /// Reads only the current version, which is all that an app needs at launch.
    package func readCurrent(_ url: URL) throws -> ModelVersion {
        if url.pathExtension == Self.textExtension { return try readText(url).current }
        let listing = try listing(url)
        let current = listing.versions.first { Self.versionName($0) == listing.currentVersionName }
        guard let current else {
            throw ModelFileError(url.path, .missingCurrentVersion(named: listing.currentVersionName))
        }
        return try version(current)
    }

    /// The extension of the names of files that hold a model as text.
    package static let textExtension = "txt"

    private func readText(_ url: URL) throws -> ModelPackage {
        guard let text = String(data: try files.read(url), encoding: .utf8) else {
            throw ModelFileError(url.path, .notAModel("its text is not in UTF-8"))
        }
        return try ModelTextReader(file: url.path).read(text, name: Self.versionName(url))
    }

    // MARK: Packages

    private func listing(_ url: URL) throws -> Listing {
        guard files.exists(url) else {
            throw ModelFileError(url.path, .unreadable("there is no such file"))
        }
        switch url.pathExtension {
        case "xcdatamodeld":
            return try listing(url, "xcdatamodel", marker: ".xccurrentversion", sourceCurrentVersion)
        case "momd":
            // `.omo` files repeat the current version in an undocumented form and are ignored (mom §5).
            return try listing(url, "mom", marker: VersionInfo.fileName) {
                try VersionInfo($0, path: $1).currentVersionName
            }
        case "xcdatamodel", "mom":
            return unversioned(url)
        case _ where url.lastPathComponent == "contents":
            return unversioned(url.deletingLastPathComponent())
        default:
            throw ModelFileError(
                url.path, .notAModel("expected .xcdatamodeld, .xcdatamodel, .momd, .mom or .txt"))
        }
    }

    private func unversioned(_ url: URL) -> Listing {
        let name = Self.versionName(url)
        return Listing(name: name, versions: [url], currentVersionName: name, isVersioned: false)
    }

    /// Lists the versions of a package. The file that names the current one may be missing: a single version
    /// is the current one then, and of several source versions the last by name is assumed to be, as "Model 10"
    /// of "Model 2" and "Model 10".
    private func listing(
        _ url: URL, _ versionExtension: String, marker: String,
        _ currentVersionName: (_ data: Data, _ path: String) throws -> String
    ) throws -> Listing {
        let versions = try files.children(of: url).filter { $0.pathExtension == versionExtension }
        guard let first = versions.first else { throw ModelFileError(url.path, .noVersions) }
        let marker = url.appendingPathComponent(marker)
        let current: String
        var isAssumed = false
        if files.exists(marker) {
            current = try currentVersionName(files.read(marker), marker.path)
        } else if versions.count == 1 {
            current = Self.versionName(first)
        } else if versionExtension == "xcdatamodel" {
            let names = versions.map(Self.versionName)
            current = names.max { $0.compare($1, options: .numeric) == .orderedAscending } ?? ""
            isAssumed = true
        } else {
            throw ModelFileError(url.path, .missingCurrentVersion(named: nil))
        }
        guard versions.contains(where: { Self.versionName($0) == current }) else {
            throw ModelFileError(url.path, .missingCurrentVersion(named: current))
        }
        return Listing(
            name: Self.versionName(url), versions: versions, currentVersionName: current, isVersioned: true,
            assumesCurrentVersion: isAssumed)
    }

    private func sourceCurrentVersion(_ data: Data, path: String) throws -> String {
        guard let folder = try PropertyListFile(data, path: path).root["_XCCurrentVersionName"] as? String
        else {
            throw ModelFileError(path, .malformedPropertyList("no _XCCurrentVersionName"))
        }
        return folder.hasSuffix(".xcdatamodel") ? String(folder.dropLast(".xcdatamodel".count)) : folder
    }

    private static func versionName(_ url: URL) -> String {
        url.deletingPathExtension().lastPathComponent
    }

    // MARK: Versions

    private func version(_ url: URL) throws -> ModelVersion {
        url.pathExtension == "mom" ? try compiledVersion(url) : try sourceVersion(url)
    }

    private func sourceVersion(_ folder: URL) throws -> ModelVersion {
        let contents = folder.appendingPathComponent("contents")
        guard files.exists(contents) else {
            if files.exists(folder.appendingPathComponent("elements")) {
                throw ModelFileError(folder.path, .xcode3Model)
            }
            throw ModelFileError(folder.path, .notAModel("it has no \"contents\" file"))
        }
        let result = try XMLModelParser(file: contents.path).parse(files.read(contents))
        return ModelVersion(
            name: Self.versionName(folder),
            document: result.document,
            locations: result.locations,
            diagnostics: result.diagnostics)
    }

    private func compiledVersion(_ url: URL) throws -> ModelVersion {
        do {
            let result = try CompiledModelReader().read(files.read(url))
            return ModelVersion(
                name: Self.versionName(url),
                document: result.document,
                locations: SourceLocations(file: url.path),
                diagnostics: result.diagnostics)
        } catch let error as ModelFileError {
            throw error.inFile(url.path)
        }
    }
}
