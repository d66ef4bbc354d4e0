import PackagePlugin

/// Does what CoreDataPlugin does, and writes the overlay: the target's sources as they compile on Linux, and the file by
/// which the compiler reads these in the place of the others.
@main
struct CoreDataOverlayPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        #if os(macOS)
        // The compiler takes the sources as they are there.
        return []
        #else
        guard let target = target as? SwiftSourceModuleTarget else { return [] }
        // At a place that a manifest can name, whatever folder the build uses. No declared output, which would make it a
        // resource.
        let overlay = context.package.directoryURL
            .appending(path: ".build/CoreDataOverlay/\(target.moduleName).yaml")
        return [
            try context.command(
                compiling: target, by: "coredata-overlay", options: ["--overlay", overlay.path])
        ]
        #endif
    }
}
