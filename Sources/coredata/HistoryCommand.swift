import ArgumentParser
import CoreDataEditing
import CoreDataJSON
import CoreDataTool

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Shows the history that a store keeps.",
        discussion: """
            A transaction is one save or batch: its number, time, author, context and program, then what it did to \
            which objects. Updates name the properties they wrote, deletions what was kept of the object.

            EXAMPLES
              coredata history Library.sqlite --limit 5
              coredata history Library.sqlite --after 120 --entity Book
              coredata history Library.sqlite --since 2024-01-01 --author sync --json
            """)

    @OptionGroup var store: StoreArguments
    @Option(help: ArgumentHelp("Only transactions after this one.", valueName: "number")) var after: Int64?
    @Option(help: ArgumentHelp("Only transactions after this date (ISO 8601, UTC).", valueName: "date"))
    var since: String?
    @Option(help: "Only transactions of this author.") var author: String?
    @Option(help: "Only changes of objects of this entity.") var entity: String?
    @Option(name: [.long, .customShort("l")], help: "Only the last transactions, this many.") var limit: Int?
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit cannot be negative") }
    }

    func run() throws {
        try reporting {
            var filter = StoreHistory.Filter()
            (filter.afterNumber, filter.author, filter.entity, filter.limit) = (
                after, author, entity, limit ?? 0
            )
            filter.afterDate = try since.map { text in
                guard let date = DateCoding.date(of: text) else {
                    throw ToolError("\(text) is no ISO 8601 date")
                }
                return date
            }
            guard let history = try StoreHistory(of: try store.opened(), filter) else {
                return try show(json ? "[]" : "the store keeps no history")
            }
            if json {
                try show(history.json.indented)
            } else if !history.transactions.isEmpty {
                try show(history.text)
            }
        }
    }
}
