import Foundation
import PackagePlugin

/// The command that rewrites the sources of a package in place, so that they compile on Linux and on Apple's
/// systems alike. Without `--write` it only shows the changes.
@main
struct PortCoreData: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        var rest = ArgumentExtractor(arguments)
        let names = rest.extractOption(named: "target")
        let isWriting = rest.extractFlag(named: "write") > 0
        if let unknown = rest.remainingArguments.first {
            throw PortError(
                description:
                    "unknown argument \(unknown): swift package port-core-data [--target NAME]… [--write]")
        }
        let tool = try context.tool(named: "coredata-port").url
        for target in try targets(names, of: context.package) {
            let process = Process()
            process.executableURL = tool
            process.arguments =
                moduleArguments(of: target, in: context.package) + (isWriting ? ["--write"] : [])
                + target.swiftFiles.map(\.path)
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw PortError(description: "the sources of \(target.name) could not be ported")
            }
        }
    }

    /// Returns the Swift targets with these names, or all Swift targets of the package if there are no names.
    private func targets(_ names: [String], of package: Package) throws -> [SwiftSourceModuleTarget] {
        let all = package.targets.compactMap { $0 as? SwiftSourceModuleTarget }.filter {
            !$0.swiftFiles.isEmpty
        }
        guard !names.isEmpty else { return all }
        return try names.map { name in
            guard let target = all.first(where: { $0.name == name }) else {
                throw PortError(description: "\(package.displayName) has no target \(name) of Swift sources")
            }
            return target
        }
    }

    private func moduleArguments(of target: SwiftSourceModuleTarget, in package: Package) -> [String] {
        ["--module", target.moduleName, "--root", package.directoryURL.path]
            + target.models.flatMap { ["--model", $0.path] }
            + target.clientDependencies.flatMap {
                ["--dependency", "\($0.moduleName)=\($0.directoryURL.path)"]
            }
    }
}

private struct PortError: Error, CustomStringConvertible {
    var description: String
}
