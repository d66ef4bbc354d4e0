import ArgumentParser
import CoreDataTool

/// The fetch request that a command is about.
struct RequestArguments: ParsableArguments {
    @Argument(help: "The entity to fetch.") var entity: String

    @Option(
        name: [.customLong("where"), .customShort("w")],
        help: ArgumentHelp("A predicate in Apple's format language.", valueName: "predicate"))
    var predicate: String?

    @Option(
        name: [.long, .customShort("s")],
        help: ArgumentHelp(
            "What to sort by: a key path, then :desc, :insensitive or :localized. May be repeated.",
            valueName: "key path"))
    var sort: [String] = []

    @Option(
        name: [.long, .customShort("p")],
        help: ArgumentHelp(
            "A property or key path to show. May be repeated; commas separate several.",
            valueName: "key path"))
    var properties: [String] = []

    @Option(name: [.long, .customShort("l")], help: "The most objects to fetch.") var limit = 0
    @Option(help: "How many objects to leave out at the start.") var offset = 0
    @Flag(help: "Leave out objects of subentities.") var noSubentities = false

    var specification: FetchSpecification {
        FetchSpecification(
            entity: entity, predicate: predicate, sort: Self.split(sort), properties: Self.split(properties),
            limit: limit, offset: offset, includesSubentities: !noSubentities)
    }

    private static func split(_ values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",").map { $0.trimmingPrefix(" ") }.map(String.init) }
    }
}
