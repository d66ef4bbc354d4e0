import ArgumentParser
import CoreDataTool
import Foundation

struct ModelGenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generates Swift classes for the entities of a model.",
        discussion: """
            One Swift file, as the plugin generates it when it builds the target: classes or extensions as the codegen \
            setting of each entity asks, and what @NSManaged declarations need to work. A compiled model and a store \
            do not say what to generate: choose with --style.

            EXAMPLES
              coredata model generate Library.xcdatamodeld --module Library > Library.swift
              coredata model generate Photos.sqlite --module Photos --style class
            """)

    @OptionGroup var model: ModelArgument
    @Option(help: "The module that the classes belong to.") var module: String
    @Option(help: "A version, instead of the current one.") var version: String?
    @Option(help: "Generate this for every entity: class or category (an extension of a class in --source).")
    var style: ClassGeneration.Style?
    @Option(
        help: ArgumentHelp("A source file of the module. May be repeated.", valueName: "file"),
        completion: .file(extensions: ["swift"]))
    var source: [String] = []
    @Option(
        help: ArgumentHelp("Where to write, instead of standard output.", valueName: "file"),
        completion: .file())
    var to: String?

    func run() throws {
        try reporting {
            let document = try model.source.document(of: version)
            var sources: [String: String] = [:]
            for path in source { sources[path] = try String(contentsOfFile: path, encoding: .utf8) }
            let text = try ClassGeneration(document, module: module, style: style).text(with: sources)
            let output = try to.map { try LineOutput($0, besides: [model.model] + source) } ?? LineOutput()
            try output.write(text)
            try output.finish()
        }
    }
}

extension ClassGeneration.Style: ExpressibleByArgument {}
