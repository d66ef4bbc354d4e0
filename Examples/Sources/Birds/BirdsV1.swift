import SwiftData

/// The models of the app's first version, for stores that it left behind.
enum BirdsV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Outing.self, Sighting.self, Species.self] }

    @Model
    final class Species {
        var code: String
        var name: String
        var sightings: [Sighting] = []

        init(code: String, name: String) {
            self.code = code
            self.name = name
        }
    }

    @Model
    final class Outing {
        @Attribute(.unique) var checklistID = UUID()
        var title: String
        var date: Date
        @Relationship(deleteRule: .cascade, inverse: \Sighting.outing) var sightings: [Sighting] = []

        init(title: String, date: Date) {
            self.title = title
            self.date = date
        }
    }

    @Model
    final class Sighting {
        var count: Int
        var species: Species?
        var outing: Outing?

        init(_ species: Species, count: Int) {
            self.species = species
            self.count = count
        }
    }
}
