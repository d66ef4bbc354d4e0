import ArgumentParser
import CoreDataTool
import Foundation

struct ModelGraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Draws a model as SVG.",
        discussion: """
            Boxes stand for entities, a line for a relationship and its inverse. Entities stay where the model or \
            its .layout.json places them; new ones are put beside their neighbours. Without such places, all are \
            arranged. The drawing follows the light or dark mode of its viewer.

            EXAMPLES
              coredata model graph Library.xcdatamodeld --output Library.svg
              coredata model graph Photos.sqlite --entity Asset --detail keys > Asset.svg
            """)

    @OptionGroup var model: ModelArgument
    @Option(help: "A version, instead of the current one.") var version: String?
    @Option(help: "The properties to draw: names (none), keys (relationships and unique ones) or all.")
    var detail = ModelDrawing.Detail.all
    @Option(help: "Draw this entity and its neighbours only.") var entity: String?
    @Option(help: "How many links away from --entity.") var neighbours: Int?
    @Option(help: "Draw the entities of this configuration only.") var configuration: String?
    @Flag(help: "Arrange all entities, wherever the model places them.") var arrange = false
    @Option(
        help: ArgumentHelp("Where to write, instead of standard output.", valueName: "file"),
        completion: .file(extensions: ["svg"]))
    var output: String?

    func validate() throws {
        if entity != nil, configuration != nil {
            throw ValidationError("choose --entity or --configuration, not both")
        }
        if neighbours != nil, entity == nil { throw ValidationError("--neighbours needs --entity") }
        if let neighbours, neighbours < 0 { throw ValidationError("--neighbours is at least 0") }
    }

    func run() throws {
        try reporting {
            let drawing = try ModelDrawing(
                model.source, version: version, scope: scope, detail: detail, isArrangedAnew: arrange)
            let output = try output.map { try LineOutput($0, besides: [model.model]) } ?? LineOutput()
            try output.write(drawing.svg)
            try output.finish()
        }
    }

    private var scope: ModelDrawing.Scope {
        if let entity { return .around(entity, steps: neighbours ?? 1) }
        return configuration.map { .configuration($0) } ?? .all
    }
}

extension ModelDrawing.Detail: ExpressibleByArgument {}
