import ArgumentParser
import CoreDataEditing
import CoreDataJSON
import CoreDataTool

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Shows the type, model and content of a store.",
        discussion: """
            Shows metadata, model, entities with their numbers of rows, history, and the result of a quick check \
            (coredata check is thorough).

            EXAMPLES
              coredata inspect Library.sqlite
              coredata inspect Library.sqlite --hashes     # and the version hashes
              coredata inspect Library.sqlite --json | jq '.entities[].rows'
            """)

    @OptionGroup var store: StoreArguments
    @Flag(help: "Show the version hash of each entity.") var hashes = false
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        try reporting {
            let opened = try store.opened()
            let findings = opened.isDatabase ? try StoreCheck(opened, depth: .quick).findings() : nil
            let report = SummaryReport(try StoreSummary(of: opened), health: findings?.map(\.text))
            try show(json ? report.json.indented : report.text(showsHashes: hashes))
        }
    }
}
