import ArgumentParser
import Logging

@main
struct CoreDataCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coredata",
        abstract: "Inspects Core Data stores: their content, their faults, the work of a fetch.",
        discussion: """
            Every command reads SQLite stores of Apple's framework and of this one, without the app and without \
            its model: the store carries a copy. Stores that do not (XML and binary ones, and those from before OS X \
            10.11) need --model. Where a store is named, a postgresql:// URL will do, if the tool was built with the trait \
            PostgreSQL.

            Two commands change a store: import adds objects, migrate brings it to another version of its model. All \
            others leave it as it is; sync reset-ledger removes what is beside it.

            EXAMPLES
              coredata inspect Library.sqlite
              coredata fetch Library.sqlite Book --where 'author.name CONTAINS "Guin"'

            EXIT CODES
              0   all is well
              1   something was found: problems, differences, errors in a model
              2   the command could not be carried out; standard error says why
              64  the command was mistyped

            COMPLETIONS
              coredata --generate-completion-script bash > coredata.bash   # or zsh, fish
              source coredata.bash
            """,
        subcommands: [
            InspectCommand.self, FetchCommand.self, SQLCommand.self, CheckCommand.self, HistoryCommand.self,
            ExportCommand.self, ImportCommand.self, ConvertCommand.self, MigrateCommand.self,
            ProfileCommand.self, ModelCommand.self, SyncCommand.self, StudioCommand.self,
        ])

    /// Sends the framework's log messages to standard error, since standard output may be read by another
    /// program.
    static func main() {
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = .error
            return handler
        }
        main(nil)
    }
}
