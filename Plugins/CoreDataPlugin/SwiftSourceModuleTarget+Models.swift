import Foundation
import PackagePlugin

extension SwiftSourceModuleTarget {
    var swiftFiles: [URL] { sourceURLs(["swift"]) }

    var models: [URL] { sourceURLs(["xcdatamodeld", "xcdatamodel"]) }

    func sourceURLs(_ extensions: [String]) -> [URL] {
        sourceFiles.map(\.url).filter { extensions.contains($0.pathExtension) }
    }

    /// The modules whose types a managed property may have, without those of the framework.
    var clientDependencies: [SwiftSourceModuleTarget] {
        let all = recursiveTargetDependencies
        let framework = all.filter { $0.name == "CoreData" }
        let excluded = Set((framework + framework.flatMap(\.recursiveTargetDependencies)).map(\.id))
        return all.filter { !excluded.contains($0.id) }.compactMap { $0 as? SwiftSourceModuleTarget }
    }
}
