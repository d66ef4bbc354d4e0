import CoreDataModelFormat
package import Foundation

/// Compiles models into what the framework loads.
package struct ModelCompilation {
    private let source: ModelSource
    private let moduleName: String?

    /// - Parameter moduleName: what a leading dot of class names stands for.
    package init(_ source: ModelSource, moduleName: String? = nil) {
        self.source = source
        self.moduleName = moduleName
    }

    /// Writes a `.momd` with every version, a `.mom` of the current one, or an `.xcdatamodeld`, by the name's extension.
    package func write(to url: URL) throws {
        let package = try source.package()
        let writer = ModelPackageWriter(package)
        switch url.pathExtension {
        case "momd": try writer.compile(to: url, moduleName: moduleName)
        case "mom": try writer.compileCurrentVersion(to: url, moduleName: moduleName)
        case "xcdatamodeld": try writer.writeSource(to: url)
        default: throw ToolError("\(url.path): what is written must be named .momd, .mom or .xcdatamodeld")
        }
    }
}
