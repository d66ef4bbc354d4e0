import CoreDataModelFormat
package import Foundation

/// A writer of model packages to disk, compiled for the framework or as sources for the editor.
package struct ModelPackageWriter {
    private let files = ModelFileSystem()
    private let package: ModelPackage

    package init(_ package: ModelPackage) {
        self.package = package
    }

    /// Writes a `.momd` folder (mom §1) and removes other files from it, so that a version deleted from the
    /// source does not remain from a previous build.
    ///
    /// Throws if the current version is only assumed: apps would migrate their stores to it.
    ///
    /// - Parameter further: Contents of other files to write into the folder, by file name.
    package func compile(
        to url: URL, moduleName: String? = nil, further: [String: Data] = [:]
    ) throws {
        try requireCurrentVersion()
        var contents = further
        for version in package.versions {
            contents["\(version.name).mom"] = try compiled(version, moduleName)
        }
        contents[VersionInfo.fileName] = VersionInfo(package).data
        try files.createDirectory(at: url)
        for stale in try files.children(of: url) where contents[stale.lastPathComponent] == nil {
            try files.remove(stale)
        }
        for (name, data) in contents.sorted(by: { $0.key < $1.key }) {
            try files.write(data, to: url.appendingPathComponent(name))
        }
    }

    /// Writes the current version as a bare `.mom`; throws if it is only assumed.
    package func compileCurrentVersion(to url: URL, moduleName: String? = nil) throws {
        try requireCurrentVersion()
        try files.write(try compiled(package.current, moduleName), to: url)
    }

    /// Writes an `.xcdatamodeld` folder with its `.xccurrentversion`. Other versions in the folder stay.
    package func writeSource(to url: URL) throws {
        var present = files.exists(url) ? try PackageFiles.read(at: url) : PackageFiles()
        present.contents = present.contents.filter { path, _ in
            path == PackageFiles.marker
                || package.versions.contains { PackageFiles.contents(ofVersion: $0.name) == path }
        }
        let versioned = try ModelPackage(
            name: package.name, versions: package.versions, currentVersionName: package.currentVersionName,
            isVersioned: true)
        try PackageSave(versioned, over: present).perform(at: url)
    }

    private func requireCurrentVersion() throws {
        if package.assumesCurrentVersion {
            throw ModelFileError(package.name, .missingCurrentVersion(named: nil))
        }
    }

    private func compiled(_ version: ModelVersion, _ moduleName: String?) throws -> Data {
        do {
            return try CompiledModelWriter(version.document, moduleName: moduleName).mom()
        } catch let error as ModelFileError {
            throw error.inFile(version.locations.file ?? "\(package.name)/\(version.name)")
        }
    }
}
