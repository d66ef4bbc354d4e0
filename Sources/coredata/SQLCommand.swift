import ArgumentParser
import CoreDataEditing
import CoreDataJSON
import CoreDataTool

struct SQLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql",
        abstract: "Shows the SQL of a fetch, and how the database would run it.",
        discussion: """
            The statement with the values of its placeholders, and the database's query plan: in SQLite's, SCAN reads a whole \
            table and SEARCH uses an index. The fetch itself is not run.

            EXAMPLES
              coredata sql Library.sqlite Book --where 'author.name == "Lem"' -s title
              coredata sql Library.sqlite Author --where 'books.@count > 2' --count
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var request: RequestArguments
    @Flag(help: "Count the objects instead of reading them.") var count = false
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        try reporting {
            let statement = try RequestStatement(
                request.specification(), of: try store.opened(), isCount: count)
            try show(json ? statement.json.indented : statement.text)
        }
    }
}
