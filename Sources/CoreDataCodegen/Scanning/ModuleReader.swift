import CoreDataModelFormat
import CoreDataModelSource
import Foundation

/// The reader of a module's sources, which it reads at once. It reads the sources of a dependency when a name
/// is looked up there.
package struct ModuleReader {
    private let module: String
    private let dependencies: [(module: String, directory: String)]
    private let read: SourceReading
    private let files = ModelFileSystem()

    package init(
        module: String, dependencies: [(module: String, directory: String)],
        read: @escaping SourceReading = DeclarationReader.read
    ) {
        self.module = module
        self.dependencies = dependencies
        self.read = read
    }

    package func sources(at paths: [String]) throws -> [SourceText] { try paths.map(source) }

    package func library(of sources: [SourceText]) throws -> ModuleLibrary {
        ModuleLibrary(
            target: try ModuleIndex(name: module, sources: sources, read: read),
            dependencies: dependencies.map(\.module), load: dependency)
    }

    private func source(at path: String) throws -> SourceText {
        SourceText(
            path: path, text: String(decoding: try files.read(URL(fileURLWithPath: path)), as: UTF8.self))
    }

    private func dependency(_ module: String) throws -> ModuleIndex {
        guard let directory = dependencies.first(where: { $0.module == module })?.directory else {
            return ModuleIndex(name: module, files: [])
        }
        let paths = (FileManager.default.subpaths(atPath: directory) ?? []).sorted()
            .map { directory + "/" + $0 }
        let documents = try paths.filter(isModel).map {
            try ModelPackage.readCurrentVersion(at: URL(fileURLWithPath: $0)).document
        }
        let sources = try paths.filter { $0.hasSuffix(".swift") }.map(source)
        return try ModuleIndex(name: module, sources: sources, read: read).generatingClasses(of: documents)
    }

    /// Returns whether a path is that of a model. A version inside a model folder does not count as a model.
    private func isModel(_ path: String) -> Bool {
        path.hasSuffix(".xcdatamodeld") || path.hasSuffix(".xcdatamodel") && !path.contains(".xcdatamodeld/")
    }
}
