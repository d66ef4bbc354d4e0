import CoreDataModelFormat
package import Foundation

/// A search for the models of a mapping. The mapping names them by paths within an Xcode project, which may
/// be missing or moved.
///
/// It tries the path below each folder that contains the mapping, then looks for the name among the given
/// models, then tries the last components of the path below those folders.
package struct MappingModelSearch {
    private let folders: [URL]
    private let models: [URL]
    private let files = ModelFileSystem()

    /// Makes a search around a mapping.
    ///
    /// - Parameter models: The URLs of packages or single models, as sources or compiled.
    package init(mapping: URL, models: [URL] = []) {
        var folder = mapping.standardizedFileURL.deletingLastPathComponent()
        var folders: [URL] = [folder]
        while folder.path != "/", !folder.path.isEmpty {
            folder = folder.deletingLastPathComponent()
            folders.append(folder)
        }
        self.folders = folders
        self.models = models
    }

    /// Reads a version; nil if there is no such model. Throws a `ModelFileError` if the model cannot be read.
    package func version(at path: String) throws -> ModelVersion? {
        let components = Self.components(of: path)
        guard let name = components.last else { return nil }
        if let url = below(components) ?? amongModels(name, package: components.dropLast().last)
            ?? shortened(components).lazy.compactMap({ below($0) }).first
        {
            return try ModelPackage.readCurrentVersion(at: url)
        }
        return nil
    }

    /// Reads the versions that may be meant by a path where no model is: those of its package, and of all
    /// given models. Models that cannot be read are left out.
    func candidates(for path: String) -> [ModelVersion] {
        let components = Self.components(of: path)
        let package = components.lastIndex { $0.hasSuffix(".xcdatamodeld") }.map { Array(components[...$0]) }
        let packages = package.map { [$0] + shortened($0) } ?? []
        var seen: Set<String> = []
        return (packages.compactMap(below) + models).compactMap { try? ModelPackage.read(at: $0) }
            .flatMap(\.versions).filter { version in
                seen.insert(version.locations.file ?? version.name).inserted
            }
    }

    private static func components(of path: String) -> [String] {
        let components = path.split(separator: "/").map(String.init)
        return components.contains("..") ? [] : components
    }

    private func below(_ components: [String]) -> URL? {
        folders.lazy.map { folder in components.reduce(folder) { $0.appendingPathComponent($1) } }
            .first { files.exists($0) }
    }

    /// Returns the ends of a path, from the longest down to its package or the model itself.
    private func shortened(_ components: [String]) -> [[String]] {
        let package = components.lastIndex { $0.hasSuffix(".xcdatamodeld") } ?? components.count - 1
        guard package > 0 else { return [] }
        return (1...package).map { Array(components[$0...]) }
    }

    /// Returns the file of a version in the given models, in a package of the given name first.
    private func amongModels(_ name: String, package: String?) -> URL? {
        let package = (package as NSString?)?.deletingPathExtension
        let version = (name as NSString).deletingPathExtension
        let named = models.filter { $0.deletingPathExtension().lastPathComponent == package }
        return (named + models).lazy.flatMap { candidates(version, in: $0) }.first { files.exists($0) }
    }

    private func candidates(_ version: String, in model: URL) -> [URL] {
        switch model.pathExtension {
        case "xcdatamodeld": [model.appendingPathComponent("\(version).xcdatamodel")]
        case "momd": [model.appendingPathComponent("\(version).mom")]
        default: model.deletingPathExtension().lastPathComponent == version ? [model] : []
        }
    }
}
