import Foundation
import PackagePlugin

/// Compiles the models and mapping models of a target into resources and writes the Swift file that completes its
/// managed classes.
@main
struct CoreDataPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        #if os(macOS)
        // Xcode compiles the models there, and the framework's own classes need nothing generated.
        return []
        #else
        return try buildCommands(context, target)
        #endif
    }

    private func buildCommands(_ context: PluginContext, _ target: any Target) throws -> [Command] {
        guard let target = target as? SwiftSourceModuleTarget else { return [] }
        let sources = target.swiftFiles
        let models = target.models
        let swift = context.pluginWorkDirectoryURL.appending(path: "\(target.moduleName)+CoreData.swift")
        var arguments = ["--module", target.moduleName, "--swift", swift.path]
        var outputs = [swift]
        for model in models {
            let compiled = context.pluginWorkDirectoryURL
                .appending(path: model.deletingPathExtension().lastPathComponent)
                .appendingPathExtension(model.pathExtension == "xcdatamodeld" ? "momd" : "mom")
            arguments += ["--model", model.path, compiled.path]
            outputs.append(compiled)
        }
        let mappings = target.sourceURLs(["xcmappingmodel"])
        for mapping in mappings {
            let compiled = context.pluginWorkDirectoryURL
                .appending(path: mapping.deletingPathExtension().lastPathComponent)
                .appendingPathExtension("cdm")
            arguments += ["--mapping", mapping.path, compiled.path]
            outputs.append(compiled)
        }
        // The folders too: SwiftPM then knows that they are taken care of.
        var inputs = models + mappings + (models + mappings).flatMap(contents) + sources
        for dependency in target.clientDependencies {
            arguments += ["--dependency", dependency.moduleName, dependency.directoryURL.path]
            inputs += dependency.swiftFiles + dependency.models.flatMap(contents)
        }
        // Where the build puts resources, which it leaves there when their sources go.
        arguments += ["--resources", scratchFolder(of: context).path]
        arguments += ["\(context.package.displayName)_\(target.name).resources"]
        for resource in target.sourceURLs(["momd", "mom", "cdm"]) {
            arguments += ["--kept", resource.lastPathComponent]
        }
        if let overlay = overlay(of: target, in: context.package) {
            // No declared output, which would make it a resource.
            arguments += ["--overlay", overlay.path]
        }
        arguments += ["--sources"] + sources.map(\.path)
        return [
            .buildCommand(
                displayName: "Generating Core Data classes of \(target.name)",
                executable: try context.tool(named: "coredata-modelc").url,
                arguments: arguments,
                inputFiles: inputs,
                outputFiles: outputs)
        ]
    }

    /// The file by which the compiler reads ported sources, of a target that asks for it: at a place that a manifest
    /// can name, whatever folder the build uses.
    private func overlay(of target: SwiftSourceModuleTarget, in package: Package) -> URL? {
        guard target.compilationConditions.contains("CORE_DATA_OVERLAY") else { return nil }
        return package.directoryURL.appending(path: ".build/CoreDataOverlay/\(target.moduleName).yaml")
    }

    /// The folder of the build: the plugin's is `plugins/outputs/<package>/<target>/destination/<plugin>` in it.
    private func scratchFolder(of context: PluginContext) -> URL {
        (0..<6).reduce(context.pluginWorkDirectoryURL) { folder, _ in folder.deletingLastPathComponent() }
    }

    /// Every file below a model folder: with the folder alone as input, an edit inside would go unnoticed.
    private func contents(of model: URL) -> [URL] {
        let paths = FileManager.default.subpaths(atPath: model.path) ?? []
        return paths.sorted().map { model.appending(path: $0) }.filter { !$0.hasDirectoryPath && isFile($0) }
    }

    private func isFile(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
            && !isDirectory.boolValue
    }
}
