import ArgumentParser
import CoreDataTool

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes every object as a line of JSON, relationships included.",
        discussion: """
            The first line has the model, so that coredata import can make a store of nothing but the export. Dates are \
            ISO 8601, bytes and transformable values Base64 of what is stored, decimal numbers texts. A relationship \
            names the objects it leads to; it is written on one side, unless both are ordered. Derived and transient \
            attributes are left out.

            A value that cannot be read, because its file is gone, is left out with a warning; the exit code is then 1. \
            coredata check --repair empties such values on a copy.

            EXAMPLES
              coredata export Library.sqlite > Library.jsonl
              coredata export Library.sqlite --entity Author --entity Book
              coredata export Library.sqlite | tail -n +2 | jq -r .attributes.title
            """)

    @OptionGroup var store: StoreArguments
    @Option(help: "An entity to export, with its subentities. May be repeated; without it all are exported.")
    var entity: [String] = []
    @Option(
        help: ArgumentHelp("Where to write, instead of standard output.", valueName: "file"),
        completion: .file())
    var to: String?
    @Flag(help: "Leave the model out of the first line.") var noModel = false

    func run() throws {
        try reporting {
            let export = try StoreExport(try store.opened(), entities: entity, includesModel: !noModel)
            let output = try to.map { try LineOutput($0, besides: [store.store]) } ?? LineOutput()
            let bar = ProgressBar("Exporting")
            defer { bar.finish() }
            var isWhole = true
            try export.write(to: output.write) { message in
                warnOfLoss(message)
                isWhole = false
            } progress: {
                bar.show($0, of: $1)
            }
            try output.finish()
            if !isWhole { throw ExitCodes.findings }
        }
    }
}
