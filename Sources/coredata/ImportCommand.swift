import ArgumentParser
import CoreDataTool
import Foundation

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports objects from the lines of an export.",
        discussion: """
            The store is made if it does not exist, with the model of the export, or that of --model. Otherwise the \
            objects are added to it. Either all of them are saved or none. The type of a new store \
            is that of its name (.sqlite, .xml, .binary, a postgresql:// URL), and SQLite for any other.

            A line is {"id": "Book/1", "attributes": {…}, "relationships": {"author": "Author/7"}}: the id is the \
            entity and any name that other lines use for the object. Attributes that are left out have their default.

            Objects may break rules of their model, in Apple's own stores too, since not every writer checks. They are \
            imported, with a warning for each such rule; with --strict they are refused.

            EXAMPLES
              coredata import Library.jsonl Copy.sqlite
              coredata export Library.sqlite | coredata import - Copy.sqlite
              coredata import books.jsonl Library.sqlite --model Library.xcdatamodeld
            """)

    @Argument(help: "The lines: a file, or - for standard input.", completion: .file()) var input: String
    @Argument(help: "The store to make or to add to.", completion: .file()) var store: String
    @Option(
        help: ArgumentHelp(
            "The model of the store, instead of the one that the export or the store has.",
            discussion: ModelArgument.kinds, valueName: "file"),
        completion: .file(extensions: ["xcdatamodeld", "xcdatamodel", "momd", "mom"]))
    var model: String?
    @Flag(help: "Refuse objects that break the rules of the model.") var strict = false

    func run() throws {
        try reporting {
            let reader = try StoreImport(
                into: URL(store: store), model: model.map(URL.init(store:)),
                isStrict: strict)
            let input = try LineInput(input)
            let bar = ProgressBar("Importing")
            defer { bar.finish() }
            var lines = 0
            do {
                while let line = try input.next() {
                    try reader.read(line)
                    lines += 1
                    if lines % 500 == 0 { bar.show(lines, of: 0) }
                }
            } catch {
                reader.discard()
                throw error
            }
            bar.finish()
            let count = try ProgressBar("Saving").waiting { try reader.finish() }
            for warning in reader.warnings { warn(warning) }
            try show(count: count)
        }
    }
}
