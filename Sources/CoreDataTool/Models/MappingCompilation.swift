import CoreDataModelFormat
package import Foundation

/// Compiles a mapping model of Xcode into what the framework loads.
package struct MappingCompilation {
    private let build: MappingBuild
    /// What was not understood or does not fit, as compilers say it.
    package var warnings: [String] { build.diagnostics.map { $0.line() } }

    /// - Parameter models: where to look for the models that it names, besides near it.
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
