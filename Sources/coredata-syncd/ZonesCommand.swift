#if SyncServer
import ArgumentParser
import CoreDataSyncServer

struct ZonesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zones", abstract: "Lists zones, and gives or takes roles in them.",
        subcommands: [List.self, Grant.self, Revoke.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists zones with their items, bytes, number and members.")

        @OptionGroup var options: ServerOptions

        func run() async throws {
            try await options.withDatabase { database in
                let lines = try await database.read { connection in
                    let directory = ZoneDirectory(connection)
                    return try directory.entries().map { entry in
                        let members = try directory.members(of: entry.number).map {
                            "\($0.user) (\($0.role))"
                        }
                        return
                            "\(entry.name)\t\(entry.items) items\t\(entry.bytes) bytes\tepoch \(entry.epoch)\t"
                            + "number \(entry.sequence)\t\(members.joined(separator: ", "))"
                    }
                }
                for line in lines { print(line) }
            }
        }
    }

    struct Grant: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Gives a user a role in a zone.")

        @OptionGroup var options: ServerOptions
        @Argument(help: "The zone, as owner:name.") var zone: String
        @Argument(help: "The user.") var user: String
        @Argument(help: "reader, writer or owner.") var role: String

        func run() async throws {
            try await ZonesCommand.set(ZonesCommand.role(role), of: user, in: zone, options)
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Takes a user's role in a zone.")

        @OptionGroup var options: ServerOptions
        @Argument(help: "The zone, as owner:name.") var zone: String
        @Argument(help: "The user.") var user: String

        func run() async throws { try await ZonesCommand.set(nil, of: user, in: zone, options) }
    }

    /// Reads the name of a zone.
    static func name(_ text: String) throws -> ZoneName {
        guard text.contains(":"), let name = ZoneName(text, caller: "-") else {
            throw ValidationError("\(text) is no zone: owner:name is expected")
        }
        return name
    }

    /// Reads a role.
    static func role(_ text: String) throws -> Role {
        guard let role = Role(rawValue: text) else {
            throw ValidationError("a role is one of \(Role.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return role
    }

    private static func set(
        _ role: Role?, of user: String, in zone: String, _ options: ServerOptions
    ) async throws {
        let name = try name(zone)
        guard UserName.isAllowed(user) else { throw ValidationError("\(user) is no name of a user") }
        try await options.withDatabase { database in
            try await database.write { connection in
                let directory = ZoneDirectory(connection)
                guard let number = try directory.number(of: name) else {
                    throw ValidationError("there is no zone \(name)")
                }
                try directory.set(role, of: user, in: number)
            }
        }
    }
}
#endif
