import ArgumentParser
import CoreDataTool
import Foundation

struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Converts a store to another type.",
        discussion: """
            The new store's type is that of its name (.sqlite, .xml, .binary), or that of --type; a postgresql:// URL \
            makes a store in a database. XML stores are those \
            of Apple's framework; binary ones are this framework's own. A SQLite store that becomes a SQLite store is \
            copied whole, with its log, history and keys; in any other the objects have new keys.

            A value that cannot be read, because its file is gone, is left out with a warning; the exit code is then 1.

            XML and binary stores carry no model: name one with --model.

            EXAMPLES
              coredata convert Library.sqlite Library.xml
              coredata convert Library.xml Library.sqlite --model Library.xcdatamodeld
              coredata convert Library.sqlite Library.store --type binary
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: "The store to make.", completion: .file()) var output: String
    @Option(help: "The new store's type: sqlite, xml, binary or postgresql.") var type:
        StoreConversion.Target?

    func run() throws {
        try reporting {
            let url = try URL(store: output)
            guard let target = type ?? StoreConversion.Target(of: url) else {
                throw ToolError(
                    "\(output) does not say of which type the store is to be: name it with --type")
            }
            let conversion = StoreConversion(try store.opened())
            var isWhole = true
            let count = try ProgressBar("Converting").waiting {
                try conversion.convert(to: url, as: target) { message in
                    warnOfLoss(message)
                    isWhole = false
                }
            }
            try show(count: count)
            if !isWhole { throw ExitCodes.findings }
        }
    }
}

extension StoreConversion.Target: ExpressibleByArgument {}
