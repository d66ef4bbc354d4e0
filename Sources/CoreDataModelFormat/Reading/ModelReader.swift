package import Foundation

/// Reads model packages from disk (xcdatamodel §1, mom §1). A version that is malformed fails the whole package,
/// naming its file.
package struct ModelReader {
    private let files = ModelFileSystem()

    package init() {}

    package func read(_ url: URL) throws -> ModelPackage {
        guard files.exists(url) else {
            throw ModelFileError(url.path, .unreadable("there is no such file"))
        }
        let name = url.deletingPathExtension().lastPathComponent
        switch url.pathExtension {
        case "xcdatamodeld":
            return try sourcePackage(url, name: name)
        case "xcdatamodel":
            return try unversioned(sourceVersion(url))
        case "momd":
            return try compiledPackage(url, name: name)
        case "mom":
            return try unversioned(compiledVersion(url))
        default:
            guard url.lastPathComponent == "contents" else {
                throw ModelFileError(
                    url.path, .notAModel("expected .xcdatamodeld, .xcdatamodel, .momd or .mom"))
            }
            return try unversioned(sourceVersion(url.deletingLastPathComponent()))
        }
    }

    private func unversioned(_ version: ModelVersion) throws -> ModelPackage {
        try ModelPackage(
            name: version.name, versions: [version], currentVersionName: version.name, isVersioned: false)
    }

    // MARK: Sources

    private func sourcePackage(_ url: URL, name: String) throws -> ModelPackage {
        let folders = try files.children(of: url).filter { $0.pathExtension == "xcdatamodel" }
        guard !folders.isEmpty else { throw ModelFileError(url.path, .noVersions) }
        let versions = try folders.map(sourceVersion)
        let current = try currentVersionName(of: url, among: versions)
        guard versions.contains(where: { $0.name == current }) else {
            throw ModelFileError(url.path, .missingCurrentVersion(named: current))
        }
        return try ModelPackage(name: name, versions: versions, currentVersionName: current)
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
            name: folder.deletingPathExtension().lastPathComponent,
            document: result.document,
            locations: result.locations,
            diagnostics: result.diagnostics)
    }

    /// `.xccurrentversion` may be missing when there is nothing to choose.
    private func currentVersionName(of url: URL, among versions: [ModelVersion]) throws -> String {
        let marker = url.appendingPathComponent(".xccurrentversion")
        guard files.exists(marker) else {
            guard versions.count == 1 else {
                throw ModelFileError(url.path, .missingCurrentVersion(named: nil))
            }
            return versions[0].name
        }
        let plist = try PropertyListFile(files.read(marker), path: marker.path)
        guard let folder = plist.root["_XCCurrentVersionName"] as? String else {
            throw ModelFileError(marker.path, .malformedPropertyList("no _XCCurrentVersionName"))
        }
        return folder.hasSuffix(".xcdatamodel") ? String(folder.dropLast(".xcdatamodel".count)) : folder
    }

    // MARK: Compiled models

    /// `.omo` files repeat the current version in an undocumented form and are ignored (mom §5).
    private func compiledPackage(_ url: URL, name: String) throws -> ModelPackage {
        let versions = try files.children(of: url).filter { $0.pathExtension == "mom" }.map(compiledVersion)
        guard !versions.isEmpty else { throw ModelFileError(url.path, .noVersions) }
        let marker = url.appendingPathComponent(VersionInfo.fileName)
        guard files.exists(marker) else {
            guard versions.count == 1 else {
                throw ModelFileError(url.path, .missingCurrentVersion(named: nil))
            }
            return try ModelPackage(
                name: name, versions: versions, currentVersionName: versions[0].name)
        }
        let current = try VersionInfo(files.read(marker), path: marker.path).currentVersionName
        guard versions.contains(where: { $0.name == current }) else {
            throw ModelFileError(url.path, .missingCurrentVersion(named: current))
        }
        return try ModelPackage(name: name, versions: versions, currentVersionName: current)
    }

    private func compiledVersion(_ url: URL) throws -> ModelVersion {
        do {
            let result = try CompiledModelReader().read(files.read(url))
            return ModelVersion(
                name: url.deletingPathExtension().lastPathComponent,
                document: result.document,
                locations: SourceLocations(file: url.path),
                diagnostics: result.diagnostics)
        } catch let error as ModelFileError {
            throw error.inFile(url.path)
        }
    }
}
