import PackagePlugin

/// The plugin that compiles the models and mapping models of a target into resources, and writes the Swift
/// file that completes its managed classes.
@main
struct CoreDataPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        #if os(macOS)
        // Xcode compiles the models itself, and Apple's framework needs no generated code.
        return []
        #else
        guard let target = target as? SwiftSourceModuleTarget else { return [] }
        if target.compilationConditions.contains("CORE_DATA_OVERLAY") {
            Diagnostics.error(
                "\(target.name) defines CORE_DATA_OVERLAY, which CoreDataPlugin no longer heeds: apply "
                    + "CoreDataOverlayPlugin in its place, and add `traits: [\"Overlay\"]` to the package's dependency"
            )
            return []
        }
        return [try context.command(compiling: target, by: "coredata-modelc")]
        #endif
    }
}
