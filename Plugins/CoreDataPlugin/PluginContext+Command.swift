import Foundation
import PackagePlugin

extension PluginContext {
    /// Returns the command by which a tool compiles the models of a target and writes the Swift file that
    /// completes its classes.
    func command(
        compiling target: SwiftSourceModuleTarget, by tool: String, options: [String] = []
    ) throws -> Command {
        let sources = target.swiftFiles
        let models = target.models
        let swift = pluginWorkDirectoryURL.appending(path: "\(target.moduleName)+CoreData.swift")
        var arguments = ["--module", target.moduleName, "--swift", swift.path]
        var outputs = [swift]
        for model in models {
            let compiled =
                pluginWorkDirectoryURL
                .appending(path: model.deletingPathExtension().lastPathComponent)
                .appendingPathExtension(model.pathExtension == "xcdatamodeld" ? "momd" : "mom")
            arguments += ["--model", model.path, compiled.path]
            outputs.append(compiled)
        }
        let mappings = target.sourceURLs(["xcmappingmodel"])
        for mapping in mappings {
            let compiled =
                pluginWorkDirectoryURL
                .appending(path: mapping.deletingPathExtension().lastPathComponent)
                .appendingPathExtension("cdm")
            arguments += ["--mapping", mapping.path, compiled.path]
            outputs.append(compiled)
        }
        // Model folders are inputs too; otherwise SwiftPM warns that they are not handled.
        var inputs = models + mappings + (models + mappings).flatMap(contents) + sources
        for dependency in target.clientDependencies {
            arguments += ["--dependency", dependency.moduleName, dependency.directoryURL.path]
            inputs += dependency.swiftFiles + dependency.models.flatMap(contents)
        }
        // The folder to which the build copies resources. The build leaves a resource there when its source
        // is removed, so the tool removes it.
        arguments += ["--resources", scratchFolder.path]
        arguments += ["\(package.displayName)_\(target.name).resources"]
        for resource in target.sourceURLs(["momd", "mom", "cdm"]) {
            arguments += ["--kept", resource.lastPathComponent]
        }
        arguments += options
        arguments += ["--sources"] + sources.map(\.path)
        return .buildCommand(
            displayName: "Generating Core Data classes of \(target.name)",
            executable: try self.tool(named: tool).url,
            arguments: arguments,
            inputFiles: inputs,
            outputFiles: outputs)
    }

    /// The folder of the build. The plugin's folder is
    /// `plugins/outputs/<package>/<target>/destination/<plugin>` in it.
    private var scratchFolder: URL {
        (0..<6).reduce(pluginWorkDirectoryURL) { folder, _ in folder.deletingLastPathComponent() }
    }

    /// Returns every file inside a model folder. With the folder alone as input, an edit inside would go
    /// unnoticed.
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
