import ArgumentParser
import CoreDataTool

struct FetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetches objects and prints them as a table, JSON or CSV.",
        discussion: """
            Without --properties it shows all attributes and to-one relationships. A property may be a key path: \
            author.name, books.@count, books.@avg.pages. Bytes are shown as their number in tables and CSV, and as \
            Base64 in JSON; objects as Entity/p and their key.

            EXAMPLES
              coredata fetch Library.sqlite Book
              coredata fetch Library.sqlite Book --where 'pages > 300 AND author.name BEGINSWITH "U"'
              coredata fetch Library.sqlite Author -p name -p books.@count --sort name:localized
              coredata fetch Library.sqlite Book --sort published:desc --limit 10 --output csv > newest.csv
              coredata fetch Library.sqlite Book --where 'author == nil' --count
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var request: RequestArguments
    @Option(name: [.customShort("o"), .long], help: "How to print: table, json or csv.")
    var output: StoreFetch.Format = .table
    @Flag(help: "Print only how many objects there are.") var count = false

    func run() throws {
        try reporting {
            let fetch = try StoreFetch(request.specification, from: try store.opened())
            if count {
                print(try fetch.count())
            } else {
                try fetch.write(output) { print($0) }
            }
        }
    }
}

extension StoreFetch.Format: ExpressibleByArgument {}
