#if SyncServer
import ArgumentParser
import CoreDataJSON
import CoreDataSyncCore
import CoreDataSyncServer
import Foundation

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes a zone as lines of JSON to the standard output.")

    @OptionGroup var options: ServerOptions
    @Argument(help: "The zone, as owner:name.") var zone: String

    func run() async throws {
        let name = try ZonesCommand.name(zone)
        try await options.withDatabase { database in
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

    func run() throws {
        let source = try options.presentPlace().folderAlone(
            "pg_dump copies it; copy the folder 'blobs' afterwards")
        try Backup.make(of: source, to: folder)
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Brings a backup back while the server does not run.",
        discussion: """
            Each zone begins a new epoch: devices notice, compare what they have, and bring what the backup lacks. The \
            database that was there is kept under another name. A database in PostgreSQL is brought back by pg_restore; \
            then this command, without a folder, begins the new epochs.
            """)

    @OptionGroup var options: ServerOptions
    @Flag(help: "Begins new epochs. Without them devices would take the server for the one that they know.")
    var newEpoch = false
    @Argument(help: "The folder of the backup.") var folder: String?

    func run() async throws {
        guard newEpoch else {
            throw ValidationError("devices have seen what came after the backup: --new-epoch is needed")
        }
        let seconds = UInt64(max(0, Date().timeIntervalSince1970))
        let place = try options.place()
        guard let folder else {
            guard place.database != nil else { throw ValidationError("the folder of the backup is missing") }
            return try await options.withDatabase { try await Backup.beginEpochs(in: $0, after: seconds) }
        }
        let target = try place.folderAlone("bring it back with pg_restore, then leave the folder out")
        if let kept = try Backup.restore(folder, to: target, at: seconds) {
            print("The database that was there is now \(kept)")
        }
    }
}

struct PurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge", abstract: "Removes everything that is a user's own: zones, devices, roles.")

    @OptionGroup var options: ServerOptions
    @Option(help: "The user.") var user: String
    @Flag(help: "Says that it is meant.") var yes = false

    func run() async throws {
        let place = try options.presentPlace()
        guard yes else {
            throw ValidationError("this cannot be undone: --yes is needed")
        }
        let report = try await Purge.remove(user, from: place)
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
