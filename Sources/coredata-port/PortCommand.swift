import ArgumentParser
import CoreDataCodegen
import CoreDataModelFormat
import CoreDataModelSource
import Foundation

#if Overlay
import CoreDataPorting
#endif

/// The command that the plugin PortCoreData runs for each target.
@main
struct PortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coredata-port",
        abstract: "Rewrites a module's sources so that they compile on Linux and on Apple's systems alike.",
        discussion: "Shows the changes as a diff, and what is left to do by hand; --write makes the changes.")

    @Option(help: "The module's name.")
    var module: String

    @Option(help: "A data model of the module. May be given several times.")
    var model: [String] = []

    @Option(
        help:
            "A module it depends on, and the folder of its sources: Base=Sources/Base. May be given several times."
    )
    var dependency: [String] = []

    @Option(help: "The folder that paths are shown relative to.")
    var root = FileManager.default.currentDirectoryPath

    @Flag(help: "Rewrite the files.")
    var write = false

    @Argument(help: "The Swift sources of the module.")
    var sources: [String]

    func run() throws {
        #if Overlay
        let parser = SourceParser()
        let reader = ModuleReader(module: module, dependencies: try dependencies(), read: parser.read)
        let sources = try reader.sources(at: sources)
        let documents = try model.map {
            try ModelPackage.readCurrentVersion(at: URL(fileURLWithPath: $0)).document
        }
        let port = ModulePort(
            sources.map(parser.parsed), library: try reader.library(of: sources), documents: documents)
        let report = PortReport(port, module: module, root: root)
        if write {
            let files = ModelFileSystem()
            for change in port.changes {
                try files.write(Data(change.after.utf8), to: URL(fileURLWithPath: change.path))
            }
        } else {
            print(report.diff, terminator: "")
        }
        print(report.text(isWritten: write))
        #else
        throw ValidationError(
            "port-core-data needs `traits: [\"Overlay\"]` in the dependency on OpenCoreData, "
                + "or `swift package --traits Overlay` in this package itself")
        #endif
    }

    private func dependencies() throws -> [(module: String, directory: String)] {
        try dependency.map { text in
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else {
                throw ValidationError(
                    "--dependency takes a module and a folder, Base=Sources/Base, not '\(text)'")
            }
            return (String(parts[0]), String(parts[1]))
        }
    }
}
