import ArgumentParser
import CoreDataTool
import Foundation

struct ModelNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Makes a model package, empty or from a text.",
        discussion: """
            The text is in the form that "coredata model print --format text" prints. A package that is there \
            already is left alone.

            EXAMPLES
              coredata model new Library.xcdatamodeld
              coredata model new Library.xcdatamodeld --from Library.txt
            """)

    @Argument(help: "The package to make, an .xcdatamodeld.", completion: .file()) var output: String
    @Option(
        help: ArgumentHelp("The text of the model; - reads it from standard input.", valueName: "file"),
        completion: .file(extensions: ["txt"]))
    var from: String?

    func run() throws {
        try reporting {
            let creation = try ModelCreation(
                at: URL(fileURLWithPath: output), from: from.map(Self.text),
                file: from == "-" ? "standard input" : from ?? "")
            for loss in try creation.write() { warn("a model source cannot hold everything: \(loss)") }
        }
    }

    private static func text(of path: String) throws -> String {
        let input = try LineInput(path)
        var lines: [String] = []
        while let line = try input.next() { lines.append(line) }
        return lines.joined(separator: "\n")
    }
}
