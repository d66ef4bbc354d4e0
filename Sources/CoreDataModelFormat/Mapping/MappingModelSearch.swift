package import Foundation

/// Finds the models of a mapping, which it names by paths within an Xcode project that is not there, or moved.
///
/// A path is tried below every folder that the mapping lies in; then the models given are asked by name; then what the path
/// ends with is tried below those folders.
package struct MappingModelSearch {
    private let folders: [URL]
    private let models: [URL]
    private let files = ModelFileSystem()

    /// `models` are packages or lone models, sources or compiled.
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

    /// Throws a `ModelFileError` that names the path if there is no such model, or as it cannot be read.
    package func version(at path: String) throws -> ModelVersion {
        let components = path.split(separator: "/").map(String.init)
        guard let name = components.last, !components.contains("..") else {
            throw ModelFileError("", .missingModel(path))
        }
        if let url = below(components) ?? amongModels(name, package: components.dropLast().last)
            ?? shortened(components).lazy.compactMap({ below($0) }).first
        {
            return try ModelPackage.readCurrentVersion(at: url)
        }
        throw ModelFileError("", .missingModel(path))
    }

    private func below(_ components: [String]) -> URL? {
        folders.lazy.map { folder in components.reduce(folder) { $0.appendingPathComponent($1) } }
            .first { files.exists($0) }
    }

    /// The endings of a path down to its package, or the model itself.
    private func shortened(_ components: [String]) -> [[String]] {
        let package = components.lastIndex { $0.hasSuffix(".xcdatamodeld") } ?? components.count - 1
        guard package > 0 else { return [] }
        return (1...package).map { Array(components[$0...]) }
    }

    /// In the package of that name before others.
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
