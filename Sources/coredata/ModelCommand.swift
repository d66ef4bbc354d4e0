import ArgumentParser
import CoreDataEditing
import CoreDataJSON
import CoreDataTool
import Foundation

struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract:
            "Makes, prints, draws, checks, compares, edits, merges and compiles models, and their classes.",
        discussion: """
            A model is an .xcdatamodeld, .xcdatamodel, .momd or .mom, a .txt in the form that print --format text \
            prints, or a store: then it is the model the store carries.
            """,
        subcommands: [
            ModelNewCommand.self, ModelPrintCommand.self, ModelGraphCommand.self, ModelLintCommand.self,
            ModelDiffCommand.self, ModelEditCommand.self, ModelMergeCommand.self, ModelCompileCommand.self,
            ModelGenerateCommand.self,
        ])
}

/// A model on the command line.
struct ModelArgument: ParsableArguments {
    /// The kinds of files that can be named as a model, for the help of options.
    static let kinds =
        "An .xcdatamodeld, .xcdatamodel, .momd, .mom or .txt, or a store that carries one; the version that fits is found."

    @Argument(help: "A model file, or a store.", completion: .file()) var model: String

    var source: ModelSource { get throws { try ModelSource(URL(store: model)) } }
}

struct ModelPrintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print",
        abstract: "Prints a model in words, or as a text from which it can be made again.",
        discussion: """
            The format text is complete: "coredata model new" makes the model again, and every command reads a .txt \
            where it reads a model. It has all versions, unless one is chosen.

            EXAMPLES
              coredata model print Library.xcdatamodeld
              coredata model print Photos.sqlite --entity Asset
              coredata model print Library.xcdatamodeld --format text > Library.txt
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case words
        case text
    }

    @OptionGroup var model: ModelArgument
    @Option(help: "A version, instead of the current one.") var version: String?
    @Option(help: "An entity to print. May be repeated; without it all are printed.") var entity: [String] =
        []
    @Option(help: "words, or text.") var format = Format.words

    func validate() throws {
        if format == .text, !entity.isEmpty { throw ValidationError("--format text prints whole models") }
    }

    func run() throws {
        try reporting {
            switch format {
            case .words: try show(ModelListing(model.source.document(of: version)).text(entities: entity))
            case .text: try show(model.source.text(of: version))
            }
        }
    }
}

struct ModelLintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Finds errors and doubtful parts in a model.",
        discussion: """
            An error is something that cannot work, a warning something that is probably not what was meant. The exit \
            code is 1 if there are errors, with --strict also if there are warnings. With --fixes, what can be done \
            about a problem is printed below it: the names are those of the command applyFix of "model edit".

            EXAMPLES
              coredata model lint Library.xcdatamodeld --strict
              coredata model lint Library.xcdatamodeld --fixes
            """)

    @OptionGroup var model: ModelArgument
    @Flag(help: "Warnings fail too.") var strict = false
    @Flag(help: "Print what can be done about each problem.") var fixes = false

    func run() throws {
        try reporting {
            let report = try LintReport(model.source, named: model.model, showsFixes: fixes)
            for line in report.lines { try show(line) }
            if report.hasErrors || strict && !report.lines.isEmpty { throw ExitCodes.findings }
        }
    }
}

struct ModelDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares two versions of a model.",
        discussion: """
            Added (+), removed (-), renamed (>) and changed (~) entities and properties, and whether stores have to be \
            migrated. The two may be versions of one model, two models, or a model and a store. The exit code is 1 if \
            there are differences.

            EXAMPLES
              coredata model diff Library.xcdatamodeld --from 'Library 1' --to 'Library 2'
              coredata model diff Library.sqlite Library.xcdatamodeld
            """)

    @OptionGroup var model: ModelArgument
    @Argument(help: "The newer model; without it versions of the same one are compared.", completion: .file())
    var other: String?
    @Option(help: "The older version.") var from: String?
    @Option(help: "The newer version; the current one without it.") var to: String?
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        if other == nil, from == nil {
            throw ValidationError("name a second model, or a version to compare with by --from")
        }
    }

    func run() throws {
        try reporting {
            let newer = try other.map { try ModelSource(URL(store: $0)) } ?? model.source
            let diff = try ModelDiff(model.source, from, to: newer, to)
            try show(json ? diff.json.indented : diff.text)
            if !diff.changes.isEmpty { throw ExitCodes.findings }
        }
    }
}

struct ModelCompileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile",
        abstract: "Compiles a model into what the framework loads, or writes a store's model as a source.",
        discussion: """
            The name of the output says what is written: .momd all versions, .mom the current one, .xcdatamodeld \
            sources for the editor. An .xcmappingmodel becomes a .cdm; its models are looked for where it says, near \
            it, and among those given.

            EXAMPLES
              coredata model compile Library.xcdatamodeld Library.momd --module Library
              coredata model compile 1to2.xcmappingmodel 1to2.cdm
              coredata model compile Photos.sqlite Photos.xcdatamodeld
            """)

    @OptionGroup var model: ModelArgument
    @Argument(help: "The file to write.", completion: .file()) var output: String
    @Option(help: "The module that a leading dot of class names stands for.") var module: String?
    @Option(
        name: .customLong("model"),
        help: "A model that a mapping names, where it is not near it. May be repeated.", completion: .file())
    var mappedModels: [String] = []

    func run() throws {
        try reporting {
            let input = URL(fileURLWithPath: model.model)
            let output = URL(fileURLWithPath: output)
            if input.pathExtension == "xcmappingmodel" { return try compileMapping(input, to: output) }
            let losses = try ModelCompilation(model.source, moduleName: module).write(to: output)
            for loss in losses { warn("a model source cannot hold everything: \(loss)") }
        }
    }

    private func compileMapping(_ input: URL, to output: URL) throws {
        let models = mappedModels.map { URL(fileURLWithPath: $0) }
        let mapping = try MappingCompilation(of: input, models: models)
        for warning in mapping.warnings { warn(warning) }
        try mapping.write(to: output)
    }
}
