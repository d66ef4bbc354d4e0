#if SyncServer
import ArgumentParser
import CoreDataSyncCore
import CoreDataSyncServer
import Foundation

struct PolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Says what the policy in the settings lets users do.",
        subcommands: [Test.self])

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists what a user may do to the objects of each entity in a zone.",
            discussion: """
                With an entity and an operation it answers that question alone. The exit code is 1 if the user may not enter, \
                the operation is not allowed, or the policy names entities that the model does not have.

                EXAMPLES
                  coredata-syncd policy test anna:Library ben
                  coredata-syncd policy test anna:Library ben --entity Loan --operation update
                """)

        @OptionGroup var options: ServerOptions
        @Argument(help: "The zone, as owner:name.") var zone: String
        @Argument(help: "The user.") var user: String
        @Option(help: "The role that the user's token gives, if it is for single zones.") var role: String?
        @Option(help: "An entity, by its stable name.") var entity: String?
        @Option(help: "insert, update or delete.") var operation: String?

        func validate() throws {
            guard (entity == nil) == (operation == nil) else {
                throw ValidationError("--entity and --operation come together")
            }
        }

        func run() async throws {
            let role = try role.map { try ZonesCommand.role($0) }
            let (zone, user, policies) = (try ZonesCommand.name(zone), user, try options.policies())
            let report = try await options.withDatabase { database in
                try await database.read { connection in
                    try PolicyReport(of: user, in: zone, role: role, policies, on: connection)
                }
            }
            guard let role = report.role else {
                print("\(user) may not enter \(zone)")
                throw ExitCode(1)
            }
            if let entity, let operation {
                let isAllowed = try isAllowed(operation, entity, report)
                print("\(user), \(role) of \(zone), may\(isAllowed ? "" : " not") \(operation) \(entity)")
                if !isAllowed { throw ExitCode(1) }
            } else {
                print("\(user) is \(role) of \(zone)")
                for line in report.lines { print(line) }
            }
            guard report.unknown.isEmpty else {
                let names = report.unknown.joined(separator: ", ")
                FileHandle.standardError.write(
                    Data("The policy names what the model does not have: \(names)\n".utf8))
                throw ExitCode(1)
            }
        }

        private func isAllowed(_ operation: String, _ entity: String, _ report: PolicyReport) throws -> Bool {
            guard let operation = ChangePolicy.Operation(rawValue: operation) else {
                let names = ChangePolicy.Operation.allCases.map(\.rawValue)
                throw ValidationError("an operation is one of \(names.joined(separator: ", "))")
            }
            guard let allowed = report.operations.first(where: { $0.entity == entity })?.allowed else {
                throw ValidationError("the model has no entity \(entity)")
            }
            return allowed.contains(operation)
        }
    }
}
#endif
