import ArgumentParser
import CoreDataEditing
import CoreDataJSON
import CoreDataTool
import Foundation

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Migrates a store to another version of its model, or shows what that would involve.",
        discussion: """
            The store's own model is the one it carries, or the version of --from-model that it was made with; what \
            becomes of each entity and property is inferred from the two, as the framework does: by names and renaming \
            identifiers. A SQLite store is migrated in place, in \
            one transaction: whatever fails, and whenever the process ends, it is as it was or migrated.

            Try --dry-run first: it prints the plan and changes nothing; numbers of rows are upper limits. It lists \
            changes for which no mapping can be inferred, and objects that break a rule of the new model: mandatory \
            values that are missing, values that have to be unique. The migration fails for either, and leaves the \
            store alone. No other program should have the store open.

            --backup keeps a copy of the store with its log and its files of big values. --verify counts the objects of \
            every entity and the pairs of every relationship that are kept, before and after; a difference undoes the \
            migration.

            The exit code of a dry run is 1 if no mapping can be inferred, or objects break a rule.

            EXAMPLES
              coredata migrate Library.sqlite --to Library.xcdatamodeld --dry-run
              coredata migrate App.sqlite --to App.momd --version 'App 2' --dry-run --sql
              coredata migrate App.sqlite --to App.momd --backup Before.sqlite --verify
              coredata migrate Library.xml --from-model Old.mom --to Library.xcdatamodeld
            """)

    @Argument(help: "The store: a file, or a postgresql:// URL.", completion: .file())
    var store: String
    @Option(
        help: ArgumentHelp(
            "The model to migrate to.",
            discussion: "An .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store that carries one.",
            valueName: "model"),
        completion: .file(extensions: ["xcdatamodeld", "xcdatamodel", "momd", "mom"]))
    var to: String
    @Option(
        help: ArgumentHelp(
            "A model with the version that the store was made with, for a store that carries none.",
            discussion: ModelArgument.kinds,
            valueName: "file"),
        completion: .file(extensions: ["xcdatamodeld", "xcdatamodel", "momd", "mom"]))
    var fromModel: String?
    @Option(help: "The version of the model; the current one without it.") var version: String?
    @Option(help: "The configuration that the store is for, if it does not have all entities.")
    var configuration: String?
    @Flag(help: "Only show what would be done.") var dryRun = false
    @Flag(help: "Print the SQL too.") var sql = false
    @Option(help: "Copy the store to this path first, where nothing may be.", completion: .file())
    var backup: String?
    @Flag(help: "Count objects and relationships before and after; a difference fails.") var verify = false
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        try reporting {
            let upgrade = try StoreUpgrade(
                of: URL(store: store), from: fromModel.map(URL.init(store:)),
                to: try ModelSource(URL(store: to)).document(of: version),
                configuration: configuration)
            if dryRun {
                try report(upgrade)
                if !upgrade.isPossible { throw ExitCodes.findings }
                return
            }
            if let refusal = upgrade.refusal { throw refusal }
            try ProgressBar("Migrating").waiting {
                try upgrade.run(
                    backup: backup.map { URL(fileURLWithPath: $0) }, verifies: verify)
            }
            try report(upgrade)
        }
    }

    private func report(_ upgrade: StoreUpgrade) throws {
        try show(
            json ? upgrade.json(includesStatements: sql).indented : upgrade.text(includesStatements: sql))
    }
}
