import ArgumentParser
import CoreDataTool
import Foundation

#if Studio
import CoreDataStudio
import CoreDataStudioServer
#endif

struct StudioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio",
        abstract: "Opens models, stores and recorded profiles in the browser.",
        discussion: """
            The page is served to this machine only, by a link that is good once; Enter prints another one. Models can \
            be edited, stores only with --editing. Without a file, the page offers those that were opened before, and makes \
            new models in the folder of --root. The command ends with Ctrl+C, or with its terminal.

            EXAMPLES
              coredata studio Library.xcdatamodeld Library.sqlite
              coredata studio Library.sqlite --editing
              coredata studio app.profile
            """)

    @Argument(help: "Model packages, stores and recorded profiles.", completion: .file()) var files:
        [String] = []
    @Option(help: "The model of the stores, if they do not carry one.", completion: .file()) var model:
        String?
    @Flag(help: "Allow changes to the objects of stores.") var editing = false
    @Flag(help: "Do not copy a store beside itself before the first changes to it are saved.") var noBackup =
        false
    @Flag(help: "Allow no changes, to models neither.") var readOnly = false
    @Option(help: "The port of the page, instead of a free one.") var port = 0
    @Flag(help: "Print the link only, and open no browser.") var noOpen = false
    @Option(
        help: ArgumentHelp("The folder that new models are made in.", valueName: "folder"),
        completion: .directory)
    var root = "."
    #if Studio && DEBUG
    @Option(help: ArgumentHelp("Serve the page from this folder, for work on it.", visibility: .private))
    var assets: String?
    #endif

    func validate() throws {
        if editing, readOnly { throw ValidationError("choose --editing or --read-only, not both") }
        guard (0...65535).contains(port) else { throw ValidationError("--port is at most 65535") }
    }

    #if Studio
    func run() throws {
        try reporting {
            let studio = try Studio(options)
            studio.failures.forEach(warn)
            StudioRun(studio: studio, port: port, assets: source, opensBrowser: !noOpen).runToEnd()
        }
    }

    private var options: StudioOptions {
        get throws {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: root, isDirectory: &isFolder), isFolder.boolValue
            else {
                throw ToolError("\(root) is no folder")
            }
            var options = StudioOptions(
                files: try files.map { try URL(store: $0) },
                root: URL(fileURLWithPath: root, isDirectory: true).resolvingSymlinksInPath())
            options.model = model.map { URL(fileURLWithPath: $0) }
            options.mayEditStores = editing
            options.isReadOnly = readOnly
            options.makesBackup = !noBackup
            return options
        }
    }

    private var source: AssetSource {
        #if DEBUG
        if let assets { return .folder(URL(fileURLWithPath: assets, isDirectory: true)) }
        #endif
        return .compiled
    }
    #else
    func run() throws {
        try reporting {
            throw ToolError(
                "this coredata was built without the studio; build it with: swift build --traits Studio")
        }
    }
    #endif
}
