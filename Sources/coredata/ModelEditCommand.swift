import ArgumentParser
import CoreDataTool
import Foundation

struct ModelEditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Changes a model by commands in JSON.",
        discussion: """
            The commands are a list of objects, such as {"command": "rename", "element": "Book", "to": "Volume"}; the \
            article "Editing Models from Scripts" has an example of each. A rename follows everywhere: in \
            relationships, requests, indexes and predicates. If a command cannot be carried out, it is named by its \
            number, with the reason; nothing is written, and the exit code is 2.

            EXAMPLES
              coredata model edit Library.xcdatamodeld --commands changes.json --dry-run
              echo '[{"command": "addVersion", "name": "Library 2"}]' |
                coredata model edit Library.xcdatamodeld --commands -
            """)

    @Argument(help: "An .xcdatamodeld or .xcdatamodel.", completion: .file()) var model: String
    @Option(
        help: ArgumentHelp("A file of commands, or - for standard input.", valueName: "file"),
        completion: .file())
    var commands: String
    @Flag(help: "Print the differences in words, and write nothing.") var dryRun = false

    func run() throws {
        try reporting {
            let input = try LineInput(commands)
            var lines: [String] = []
            while let line = try input.next() { lines.append(line) }
            var edit = try ModelEdit(URL(fileURLWithPath: model))
            try edit.perform(lines.joined(separator: "\n"))
            if dryRun { return try show(edit.differences) }
            try edit.write()
        }
    }
}
