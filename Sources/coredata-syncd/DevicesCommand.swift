#if SyncServer
import ArgumentParser
import CoreDataSyncCore
import CoreDataSyncServer
import Foundation

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "Lists devices, and removes one.",
        subcommands: [List.self, Remove.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists devices with their users.")

        @OptionGroup var options: ServerOptions
        @Option(help: "Only those of one user.") var user: String?

        func run() async throws {
            let user = user
            try await options.withDatabase { database in
                for entry in try await database.read({ try DeviceDirectory($0).entries(of: user) }) {
                    let seen = Date(timeIntervalSince1970: Double(entry.seen) / 1000)
                    print("\(entry.replica)\t\(entry.user)\tseen \(seen.formatted(.iso8601))\t\(entry.name)")
                }
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a device. What it wrote stays; if it comes back, it is a new one.")

        @OptionGroup var options: ServerOptions
        @Argument(help: "The ID of the device.") var device: String

        func run() async throws {
            guard let uuid = UUID(uuidString: device) else {
                throw ValidationError("\(device) is no ID of a device")
            }
            let isRemoved = try await options.withDatabase { database in
                try await database.write { try DeviceDirectory($0).remove(SyncID(uuid)) }
            }
            guard isRemoved else { throw ValidationError("there is no device \(device)") }
        }
    }
}
#endif
