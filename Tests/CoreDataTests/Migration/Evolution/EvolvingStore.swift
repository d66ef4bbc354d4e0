import CoreData
import Foundation
import Testing

/// A store whose model and objects change at random. The seed also decides how it is migrated.
struct EvolvingStore {
    let store: VersionedStore
    /// The configuration with the store's entities; nil for all.
    let configuration: String?
    private(set) var model: NSManagedObjectModel
    private let seed: UInt64
    private let way: VersionedStore.Way
    private let isDeferred: Bool
    let hasHistory: Bool
    private var evolution: RandomEvolution
    private var random: SeededGenerator
    private var former: (text: String, model: NSManagedObjectModel)
    /// A store with a history continues it.
    private var isRecording = false
    /// The objects that the history has to contain.
    private var recorded: Set<String> = []

    init(seed: UInt64, _ way: VersionedStore.Way) throws {
        self.seed = seed
        self.way = way
        let isInPlace = way.isInPlace
        // The mapping of a manager has no configuration.
        configuration = isInPlace && seed % 3 == 0 ? RandomEvolution.configuration : nil
        isDeferred = isInPlace && seed % 4 == 0
        hasHistory = isInPlace && seed % 5 < 2
        evolution = RandomEvolution(seed: seed, hasConfiguration: configuration != nil)
        random = SeededGenerator(seed: seed &+ 7)
        model = evolution.sketch.model
        former = (evolution.sketch.text, model)
        store = try VersionedStore(evolution.sketch.text, way, configuration: configuration)
    }

    var message: Comment { "seed \(seed)\n\(former.text)\n--\n\(evolution.sketch.text)" }

    private func entities(_ model: NSManagedObjectModel) -> [NSEntityDescription] {
        configuration.flatMap { model.entities(forConfigurationName: $0) } ?? model.entities
    }

    func graph() throws -> ObjectGraph { try ObjectGraph(of: store.context, entities(model)) }

    // MARK: Steps

    mutating func edit() throws {
        model = store.coordinator.managedObjectModel
        RandomEdit(context: store.context, entities: entities(model)).run(&random)
        if isRecording {
            recorded.formUnion(store.context.insertedObjects.map { $0.value(forKey: "name") as! String })
        }
        try store.context.save()
        store.context.reset()
    }

    mutating func evolve() {
        former = (evolution.sketch.text, model)
        evolution.evolve()
        model = evolution.sketch.model
    }

    /// Returns the plan of the migration; nil for a file that is not a database.
    func plan() throws -> StoreMigrationPlan? {
        try store.close()
        guard way.isInPlace || way == .copied else { return nil }
        return try NSPersistentStoreCoordinator.lightweightMigrationPlan(
            forStoreAt: store.url, type: .init(rawValue: store.type), configurationName: configuration,
            to: model)
    }

    func expected(_ before: ObjectGraph) -> ObjectGraph {
        ExpectedGraph(
            graph: before, source: former.model, destination: model, entities: entities(model),
            keepsMoments: way.isInPlace
        ).migrated()
    }

    mutating func migrate() throws {
        var options = VersionedStore.verified
        if isDeferred {
            options[NSPersistentStoreDeferredLightweightMigrationOptionKey] = true as NSNumber
        }
        if hasHistory { options[NSPersistentHistoryTrackingKey] = true as NSNumber }
        try store.migrate(to: model, options: options)
        isRecording = hasHistory
        if isDeferred { try store.coordinator.finishDeferredLightweightMigration() }
    }

    /// Requires that a version whose rules objects violate is refused, and the store stays unchanged.
    mutating func requireRefusal(_ before: ObjectGraph, _ expected: ObjectGraph) throws {
        let entities = evolution.sketch.entities
        let index = random.number(0...entities.count - 1)
        let attributes = entities[index].properties.filter { $0.isPlain && $0.derivation == nil }
        guard let attribute = attributes.randomElement(using: &random)?.name else { return }
        let entity = model.entitiesByName[entities[index].name]!
        let nodes = expected.nodes.values.filter {
            model.entitiesByName[$0.entity]!.isKindOf(entity: entity)
        }
        // Compared as texts, since Foundation's hash of a decimal number never ends on Linux. The text of a
        // date has no fractions of a second.
        let values = nodes.compactMap { node -> String? in
            guard case .attribute(let value?)? = node.values[attribute] else { return nil }
            return (value as? NSDate).map { "\($0.timeIntervalSinceReferenceDate)" } ?? "\(value)"
        }
        guard Set(values).count < values.count else { return }
        var sketch = evolution.sketch
        sketch.entities[index].constraints.append([attribute])
        let broken = sketch.model
        let error = #expect(throws: NSError.self, message) {
            try store.migrate(to: broken, options: VersionedStore.automatic)
        }
        // In place it is the underlying error of a failed migration.
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        let failure = error?.code == NSMigrationError ? cause : error
        #expect(failure?.code == NSMigrationConstraintViolationError, message)
        try store.migrate(to: former.model, options: [:])
        let found = try ObjectGraph(of: store.context, self.entities(former.model))
        try #require(before.differences(from: found) == [], message)
        try store.close()
    }

    /// Returns the inserted objects that exist but are missing in the history.
    func unrecordedNames() throws -> [String] {
        guard hasHistory else { return [] }
        let request = NSPersistentHistoryChangeRequest.fetchHistory(
            after: nil as NSPersistentHistoryToken?)
        let result = try store.context.execute(request) as? NSPersistentHistoryResult
        let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
        let told = Set(transactions.flatMap { $0.changes ?? [] }.map(\.changedObjectID))
        let objects = try entities(model).filter { $0.superentity == nil }.flatMap {
            try store.fetch($0.name!)
        }
        return objects.filter { !told.contains($0.objectID) }.map { $0.value(forKey: "name") as! String }
            .filter(recorded.contains)
    }
}
