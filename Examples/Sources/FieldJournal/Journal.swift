import Birds
import SwiftData

/// What the app's views show and do: the outings of its user, found by a text.
@MainActor
@Observable
public final class Journal {
    /// What the user typed to find outings.
    public var text = "" {
        didSet { results.filterBy = Outing.matching(text) }
    }
    /// The outings that are found, the latest first; they follow the store.
    public var outings: [Outing] { results.results }

    private let container: ModelContainer
    private let results: ResultsObserver<Outing, Never>
    private let user: Observer
    private var context: ModelContext { container.mainContext }

    /// Opens the journal of a user.
    public init(_ container: ModelContainer, user name: String) throws {
        self.container = container
        let context = container.mainContext
        let named = FetchDescriptor<Observer>(predicate: #Predicate { $0.name == name })
        user = try context.fetch(named).first ?? Observer(name: name)
        context.insert(user)
        results = ResultsObserver(
            fetchDescriptor: FetchDescriptor(sortBy: [SortDescriptor(\.start, order: .reverse)]),
            modelContainer: container)
    }

    /// Begins an outing.
    public func begin(_ title: String, at start: Date = .now, in weather: Weather? = nil) throws -> Outing {
        let outing = Outing(title: title, start: start, observer: user)
        outing.weather = weather
        context.insert(outing)
        try context.save()
        return outing
    }

    /// Notes birds of the species with a code.
    public func note(_ code: String, count: Int = 1, _ behaviour: Behaviour? = nil, on outing: Outing) throws
    {
        let coded = FetchDescriptor<Species>(predicate: #Predicate { $0.code == code })
        let species = try context.fetch(coded).first ?? Species(code: code, name: code)
        outing.sightings.append(Sighting(species, count: count, behaviour: behaviour))
        try context.save()
    }

    /// Deletes an outing with all that was seen on it.
    public func delete(_ outing: Outing) throws {
        context.delete(outing)
        try context.save()
    }
}
