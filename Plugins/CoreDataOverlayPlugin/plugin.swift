import PackagePlugin

/// The plugin that does the work of CoreDataPlugin and writes the overlay: the target's sources as they
/// compile on Linux, and the index file by which the compiler reads these instead of the originals.
@main
struct CoreDataOverlayPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        #if os(macOS)
        // On Apple's systems the compiler takes the sources as they are.
        return []
        #else
        guard let target = target as? SwiftSourceModuleTarget else { return [] }
        // The path does not depend on the build folder, so that a manifest can name it. The file is not a
        // declared output, since that would make it a resource.
        let overlay = context.package.directoryURL
            .appending(path: ".build/CoreDataOverlay/\(target.moduleName).yaml")
        return [
            try context.command(
                compiling: target, by: "coredata-overlay", options: ["--overlay", overlay.path])
        ]
        #endif
    }
}
