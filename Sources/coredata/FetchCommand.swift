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
              coredata fetch Library.sqlite Book --where 'pages > 300 AND author != nil'
              coredata fetch Library.sqlite Author -p name,books.@count -s name:localized
              coredata fetch Library.sqlite Book -s published:desc -l 9 -o csv > new.csv
              coredata fetch Library.sqlite Book --where 'author == nil' --count
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var request: RequestArguments
    @Option(name: [.customShort("o"), .long], help: "How to print: table, json or csv.")
    var output: StoreFetch.Format = .table
    @Option(
        name: [.long, .customShort("p")],
        help: ArgumentHelp(
            "A property or key path to show. May be repeated; commas separate several.",
            valueName: "key path"))
    var properties: [String] = []
    @Flag(help: "Print only how many objects there are.") var count = false

    func run() throws {
        try reporting {
            let fetch = try StoreFetch(
                request.specification(showing: RequestArguments.split(properties)), from: try store.opened())
            if count {
                try show("\(fetch.count())")
            } else {
                let lines = LineOutput()
                try fetch.write(output, to: lines.write)
                try lines.finish()
            }
        }
    }
}

extension StoreFetch.Format: ExpressibleByArgument {}
