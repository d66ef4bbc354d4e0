import Birds
import SwiftData

/// What the club's server does with the store of all members' outings.
struct Club {
    let container: ModelContainer

    /// Does what the words of a command line ask for, and returns the lines to print.
    func answer(_ words: [String]) async throws -> [String] {
        switch (words.first, words.count) {
        case ("import"?, 2): try await add(URL(filePath: words[1]))
        case ("species"?, 1): try species()
        case ("news"?, 2): try news(URL(filePath: words[1]))
        default: throw Misuse()
        }
    }

    struct Misuse: Error, CustomStringConvertible {
        let description = "usage: BirdClub import <checklists> | BirdClub species | BirdClub news <token>"
    }

    private func add(_ file: URL) async throws -> [String] {
        let checklists = try Checklist.list(from: Data(contentsOf: file))
        let added = try await ChecklistImporter(modelContainer: container).add(checklists)
        return ["\(added) of \(checklists.count) checklists are new"]
    }

    /// Lists what was seen, with the numbers of birds and of outings.
    private func species() throws -> [String] {
        var seen = FetchDescriptor<Species>(
            predicate: #Predicate { !$0.sightings.isEmpty }, sortBy: [SortDescriptor(\.name)])
        seen.relationshipKeyPathsForPrefetching = [\.sightings]
        return try ModelContext(container).fetch(seen).map { species in
            let birds = species.sightings.reduce(0) { $0 + $1.count }
            let outings = Set(species.sightings.compactMap(\.outing?.checklistID)).count
            return "\(species.name): \(birds) on \(outings) outings"
        }
    }

    /// Tells what came and went since the last call with the same file, which keeps the position.
    private func news(_ file: URL) throws -> [String] {
        let last = try? JSONDecoder().decode(DefaultHistoryToken.self, from: Data(contentsOf: file))
        let (news, position) = try ModelContext(container).news(after: last)
        if let position { try JSONEncoder().encode(position).write(to: file, options: .atomic) }
        return news.added.map { "+ \($0)" } + news.removed.map { "- \($0)" }
    }
}
