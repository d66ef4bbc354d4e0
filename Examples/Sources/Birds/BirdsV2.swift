import SwiftData

public typealias Species = BirdsV2.Species
public typealias Outing = BirdsV2.Outing
public typealias Sighting = BirdsV2.Sighting
public typealias Observer = BirdsV2.Observer

/// The models: a species has one object, outings have weather, notes and an observer.
public enum BirdsV2: VersionedSchema {
    public static let versionIdentifier = Schema.Version(2, 0, 0)
    public static var models: [any PersistentModel.Type] {
        [Observer.self, Outing.self, Sighting.self, Species.self]
    }

    @Model
    public final class Species {
        #Unique<Species>([\.code])
        #Index<Species>([\.name], [\.family, \.name])

        public var code: String
        public var name: String
        public var family = Family.other
        @Relationship(deleteRule: .deny, inverse: \Sighting.species) public var sightings: [Sighting] = []

        public init(code: String, name: String, family: Family = .other) {
            self.code = code
            self.name = name
            self.family = family
        }
    }

    @Model
    public final class Outing {
        #Index<Outing>([\.start])

        @Attribute(.unique) public var checklistID = UUID()
        @Attribute(.preserveValueOnDeletion) public var title: String
        @Attribute(originalName: "date") public var start: Date
        public var end: Date?
        public var weather: Weather?
        public var notes: [String] = []
        public var observer: Observer?
        @Relationship(deleteRule: .cascade, inverse: \Sighting.outing) public var sightings: [Sighting] = []

        public init(title: String, start: Date, observer: Observer? = nil) {
            self.title = title
            self.start = start
            self.observer = observer
        }
    }

    @Model
    public final class Sighting {
        public var count: Int
        public var behaviour: Behaviour?
        public var spot: Spot?
        @Attribute(.externalStorage) public var photo: Data?
        public var species: Species?
        public var outing: Outing?

        public init(_ species: Species, count: Int = 1, behaviour: Behaviour? = nil, spot: Spot? = nil) {
            self.species = species
            self.count = count
            self.behaviour = behaviour
            self.spot = spot
        }
    }

    @Model
    public final class Observer {
        #Unique<Observer>([\.name])

        public var name: String
        public var email: String?
        @Relationship(inverse: \Outing.observer) public var outings: [Outing] = []

        public init(name: String, email: String? = nil) {
            self.name = name
            self.email = email
        }
    }
}
