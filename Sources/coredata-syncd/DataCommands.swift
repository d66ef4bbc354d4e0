#if SyncServer
import ArgumentParser
import CoreDataJSON
import CoreDataSyncServer
import Foundation

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes a zone as lines of JSON to the standard output.")

    @OptionGroup var options: ServerOptions
    @Argument(help: "The zone, as owner:name.") var zone: String

    func run() async throws {
        let name = try ZonesCommand.name(zone)
        try await ServerDatabase.using(try options.folder()) { database in
            try await ZoneExport(database).write(name) { line in
                try FileHandle.standardOutput.write(contentsOf: Data((line.line + "\n").utf8))
            }
        }
    }
}

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies the data to a new folder, also while the server runs.")

    @OptionGroup var options: ServerOptions
    @Argument(help: "The folder of the copy.") var folder: String

    func run() throws { try Backup.make(of: try options.folder(), to: folder) }
}

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Brings a backup back while the server does not run.",
        discussion: """
            Each zone begins a new epoch: devices notice, compare what they have, and bring what the backup lacks. The \
            database that was there is kept under another name.
            """)

    @OptionGroup var options: ServerOptions
    @Flag(help: "Begins new epochs. Without them devices would take the server for the one that they know.")
    var newEpoch = false
    @Argument(help: "The folder of the backup.") var folder: String

    func run() throws {
        guard newEpoch else {
            throw ValidationError("devices have seen what came after the backup: --new-epoch is needed")
        }
        let seconds = UInt64(max(0, Date().timeIntervalSince1970))
        if let kept = try Backup.restore(folder, to: try options.place(), at: seconds) {
            print("The database that was there is now \(kept)")
        }
    }
}

struct PurgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge", abstract: "Removes everything that is a user's own: zones, devices, roles.")

    @OptionGroup var options: ServerOptions
    @Option(help: "The user.") var user: String
    @Flag(help: "Says that it is meant.") var yes = false

    func run() throws {
        let folder = try options.folder()
        guard yes else {
            throw ValidationError("this cannot be undone: --yes is needed")
        }
        let report = try Purge.remove(user, from: folder)
        print("Removed \(report.zones) zones and \(report.devices) devices of \(user)")
    }
}

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Makes a random token for the settings, and its hash.")

    func run() {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let token = Data(bytes).base64EncodedString().filter { $0.isLetter || $0.isNumber }
        print("token:  \(token)")
        print("sha256: \(BlobHash(StaticTokens.digest(of: token))?.text ?? "")")
    }
}
#endif
