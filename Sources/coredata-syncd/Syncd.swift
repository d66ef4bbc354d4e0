#if SyncServer
import ArgumentParser

@main
struct Syncd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coredata-syncd",
        abstract: "A server through which devices sync their stores.",
        discussion: """
            Settings come from a JSON file (--configuration) and from variables COREDATA_SYNCD_…, which count more. All \
            commands but serve and restore work while the server runs.
            """,
        subcommands: [
            ServeCommand.self, ZonesCommand.self, DevicesCommand.self, ModelCommand.self, PolicyCommand.self,
            ExportCommand.self, BackupCommand.self, RestoreCommand.self, PurgeCommand.self, TokenCommand.self,
        ])
}
#else
@main
struct Syncd {
    static func main() {
        print("coredata-syncd was built without the trait SyncServer: swift build --traits SyncServer")
    }
}
#endif
