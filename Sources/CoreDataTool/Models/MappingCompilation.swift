import CoreDataModelFormat
import CoreDataModelSource
package import Foundation

/// A compilation of one of Xcode's mapping models into the form that the framework loads.
package struct MappingCompilation {
    private let build: MappingBuild
    /// The warnings about parts that were not understood or do not fit, as compilers print them.
    package var warnings: [String] { build.diagnostics.map { $0.line() } }

    /// Compiles the mapping.
    ///
    /// - Parameter models: Further models in which the models of the mapping are searched for, besides the
    ///   folders around it.
    package init(of url: URL, models: [URL]) throws {
        build = try MappingBuild(of: url, models: models)
    }

    package func write(to url: URL) throws {
        guard url.pathExtension == "cdm" else {
            throw ToolError("\(url.path): a compiled mapping model must be named .cdm")
        }
        try build.write(to: url)
    }
}
