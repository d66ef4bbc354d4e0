import CoreDataModelFormat
package import Foundation

/// The files of a model's source that say what the model is, as they were read: the `contents` of its
/// versions, and the file that names the current one. A package may have others, which are nobody's business.
package struct PackageFiles: Sendable, Hashable {
    package static let marker = ".xccurrentversion"

    /// The bytes of each file, by its path in the package.
    package var contents: [String: Data]

    package init(_ contents: [String: Data] = [:]) {
        self.contents = contents
    }

    /// Returns the path of the contents of a version of a package.
    package static func contents(ofVersion name: String) -> String { "\(name).xcdatamodel/contents" }

    /// Returns the version whose contents are at a path in a package; nil if it is another file.
    package static func version(at path: String) -> String? {
        let suffix = contents(ofVersion: "")
        return path.hasSuffix(suffix) ? String(path.dropLast(suffix.count)) : nil
    }

    /// Reads the files of an `.xcdatamodeld`, an `.xcdatamodel` or the `contents` of one.
    package static func read(at url: URL) throws -> PackageFiles {
        let files = ModelFileSystem()
        let folder = folder(of: url)
        var paths = ["contents"]
        if folder.pathExtension == "xcdatamodeld" {
            paths = try files.children(of: folder).filter { $0.pathExtension == "xcdatamodel" }
                .map { contents(ofVersion: $0.deletingPathExtension().lastPathComponent) }
            paths.append(marker)
        }
        var result = PackageFiles()
        for path in paths {
            let file = folder.appendingPathComponent(path)
            if files.exists(file) { result.contents[path] = try files.read(file) }
        }
        return result
    }

    /// Returns the folder that the paths are relative to.
    static func folder(of url: URL) -> URL {
        url.lastPathComponent == "contents" ? url.deletingLastPathComponent() : url
    }
}
