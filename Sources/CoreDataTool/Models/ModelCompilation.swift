import CoreDataModelFormat
import CoreDataModelSource
package import Foundation

/// A compilation of models into the form that the framework loads.
package struct ModelCompilation {
    private let source: ModelSource
    private let moduleName: String?

    /// Prepares a compilation.
    ///
    /// - Parameter moduleName: The module that a leading dot in class names stands for.
    package init(_ source: ModelSource, moduleName: String? = nil) {
        self.source = source
        self.moduleName = moduleName
    }

    /// Writes a `.momd` with every version, a `.mom` of the current version, or an `.xcdatamodeld`, depending
    /// on the extension of the name.
    ///
    /// - Returns: The parts of the current version that a source cannot express, one line for each: rules and
    ///   sort orders that a model can get only in code.
    @discardableResult
    package func write(to url: URL) throws -> [String] {
        let package = try source.package()
        let writer = ModelPackageWriter(package)
        switch url.pathExtension {
        case "momd": try writer.compile(to: url, moduleName: moduleName)
        case "mom": try writer.compileCurrentVersion(to: url, moduleName: moduleName)
        case "xcdatamodeld":
            try writer.writeSource(to: url)
            return try Self.losses(of: package, writtenTo: url, comparesCode: source.isSource)
        default: throw ToolError("\(url.path): what is written must be named .momd, .mom or .xcdatamodeld")
        }
        return []
    }

    static func losses(
        of package: ModelPackage, writtenTo url: URL, comparesCode: Bool
    ) throws -> [String] {
        let written = try ModelSource(url).document()
        return ModelDiff(from: package.current.document, to: written, comparesCode: comparesCode)
            .changes.map(\.text)
    }
}
