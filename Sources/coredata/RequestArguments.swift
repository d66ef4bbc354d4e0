import ArgumentParser
import CoreDataTool

/// The fetch request on the command line.
struct RequestArguments: ParsableArguments {
    @Argument(help: "The entity to fetch.") var entity: String

    @Option(
        name: [.customLong("where"), .customShort("w")],
        help: ArgumentHelp("A predicate in Apple's format language.", valueName: "predicate"))
    var predicate: String?

    @Option(
        name: [.long, .customShort("s")],
        help: ArgumentHelp(
            "A sort key: a key path, then :desc, :insensitive or :localized. May be repeated.",
            valueName: "key path"))
    var sort: [String] = []

    @Option(name: [.long, .customShort("l")], help: "The number of objects to fetch at most.") var limit: Int?
    @Option(help: "How many objects to leave out at the start.") var offset: Int?
    @Flag(help: "Leave objects of subentities out.") var noSubentities = false

    func specification(showing properties: [String] = []) -> FetchSpecification {
        FetchSpecification(
            entity: entity, predicate: predicate, sort: Self.split(sort), properties: properties,
            limit: limit ?? 0, offset: offset ?? 0, includesSubentities: !noSubentities)
    }

    func validate() throws {
        for (name, number) in [("limit", limit), ("offset", offset)] where number.map({ $0 < 0 }) == true {
            throw ValidationError("--\(name) cannot be negative")
        }
    }

    static func split(_ values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",").map { $0.trimmingPrefix(" ") }.map(String.init) }
    }
}
