import SwiftData

/// The birds of one outing, as members of the club send them.
public struct Checklist: Codable, Sendable {
    public struct Entry: Codable, Sendable {
        public var code: String
        public var name: String
        public var family: Family?
        public var count: Int
        public var behaviour: Behaviour?
        public var spot: Spot?
    }

    public var id: UUID
    public var title: String
    public var start: Date
    public var end: Date?
    public var observer: String?
    public var weather: Weather?
    public var notes: [String]?
    public var entries: [Entry]

    /// Returns the checklists of a JSON document, whose dates are texts such as `2026-05-02T05:10:00Z`.
    public static func list(from json: Data) throws -> [Checklist] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode([Checklist].self, from: json)
    }
}

/// Adds checklists to the store, beside the code that shows it.
@ModelActor
public actor ChecklistImporter {
    /// Adds those checklists that the store does not have, all or none, and returns how many these were.
    public func add(_ checklists: [Checklist]) throws -> Int {
        modelContext.author = "import"
        let ids = checklists.map(\.id)
        let there = FetchDescriptor<Outing>(predicate: #Predicate { ids.contains($0.checklistID) })
        var known = Set(try modelContext.fetch(there).map(\.checklistID))
        let new = checklists.filter { known.insert($0.id).inserted }
        var species = try species(of: new)
        try modelContext.transaction {
            for checklist in new { try add(checklist, &species) }
        }
        return new.count
    }

    /// Returns the species of checklists that the store has, by code.
    private func species(of checklists: [Checklist]) throws -> [String: Species] {
        let codes = Set(checklists.flatMap(\.entries).map(\.code))
        let found = try modelContext.fetch(
            FetchDescriptor<Species>(predicate: #Predicate { codes.contains($0.code) }))
        return Dictionary(uniqueKeysWithValues: found.map { ($0.code, $0) })
    }

    private func add(_ checklist: Checklist, _ species: inout [String: Species]) throws {
        let outing = Outing(title: checklist.title, start: checklist.start)
        outing.checklistID = checklist.id
        outing.end = checklist.end
        outing.weather = checklist.weather
        outing.notes = checklist.notes ?? []
        outing.observer = try checklist.observer.map(observer)
        modelContext.insert(outing)
        for entry in checklist.entries {
            let known = species[entry.code]
            let kind = known ?? Species(code: entry.code, name: entry.name, family: entry.family ?? .other)
            species[entry.code] = kind
            outing.sightings.append(
                Sighting(kind, count: entry.count, behaviour: entry.behaviour, spot: entry.spot))
        }
    }

    /// Returns the observer with a name, a new one if the store has none.
    private func observer(_ name: String) throws -> Observer {
        let named = FetchDescriptor<Observer>(predicate: #Predicate { $0.name == name })
        return try modelContext.fetch(named).first ?? Observer(name: name)
    }
}
