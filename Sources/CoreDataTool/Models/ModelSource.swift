package import CoreDataModelFormat
package import Foundation

/// A model as it is named on a command line: a model file, or a store that carries one.
package struct ModelSource {
    private let url: URL

    package init(_ url: URL) {
        self.url = url
    }

    private var isModelFile: Bool {
        isSource || ["momd", "mom"].contains(url.pathExtension)
    }

    /// Whether it says what code is to be generated: compiled models and stores do not.
    package var isSource: Bool {
        ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) || url.lastPathComponent == "contents"
    }

    /// All versions; a store has one, of its own name.
    package func package() throws -> ModelPackage {
        if isModelFile { return try ModelPackage.read(at: url) }
        guard let document = try OpenedStore(at: url).model?.document else {
            throw ToolError("\(url.path) carries no model: \(OpenedStore.storesWithoutModel)")
        }
        let name = url.deletingPathExtension().lastPathComponent
        return try ModelPackage(
            name: name, versions: [ModelVersion(name: name, document: document)], currentVersionName: name,
            isVersioned: false)
    }

    /// - Parameter name: a version; nil for the current one.
    package func document(of name: String? = nil) throws -> ModelDocument {
        let package = try package()
        guard let name else { return package.current.document }
        if let version = package.version(named: name) { return version.document }
        let names = package.versions.map(\.name).joined(separator: ", ")
        throw ToolError("\(url.path) has no version \"\(name)\"; it has \(names)")
    }
}
