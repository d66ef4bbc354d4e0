import CoreData

/// The results of a fetch, which follow their context: readers of `results` inside `withObservationTracking`
/// are notified when models come, go, move or change.
///
/// It is used where its context is. An event of the context costs a test of each model that changed, and no
/// fetch, unless the descriptor has a limit or an offset. In the main context events end with the pass of the
/// main queue's run loop, a save or a merge; in others with `processPendingChanges()`, a save, a merge, or
/// the work of an actor.
public final class ResultsObserver<Element: PersistentModel, SectionTitle: Hashable>: Observable {
    private let registrar = ObservationRegistrar()
    private let context: ModelContext
    private let sectionTitle: KeyPath<Element, SectionTitle>?
    private let follower = ResultsFollower()
    private var controller: NSFetchedResultsController<ModelObject>?
    private var descriptor: FetchDescriptor<Element>
    private var models: [Element]?
    private var failure: (any Error)?

    /// Makes the observer of a fetch, with a section for each value of a property.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: What to fetch.
    ///   - sectionTitle: The property whose value is the title of a model's section.
    ///   - modelContext: The context.
    ///   - isolation: The actor whose code uses the context.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, sectionBy sectionTitle: KeyPath<Element, SectionTitle>,
        modelContext: ModelContext, isolation: (any Actor)? = #isolation
    ) {
        self.init(fetchDescriptor, sectionTitle, modelContext)
    }

    /// Makes the observer of a fetch in the main context, with a section for each value of a property.
    @MainActor
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, sectionBy sectionTitle: KeyPath<Element, SectionTitle>,
        modelContainer: ModelContainer, isolation: (any Actor)? = #isolation
    ) {
        self.init(fetchDescriptor, sectionTitle, modelContainer.mainContext)
    }

    /// Makes the observer of the models that meet a condition, with a section for each value of a property.
    public convenience init(
        filterBy predicate: Predicate<Element>? = nil, sortBy order: [SortDescriptor<Element>] = [],
        sectionBy sectionTitle: KeyPath<Element, SectionTitle>, modelContext: ModelContext,
        isolation: (any Actor)? = #isolation
    ) {
        self.init(FetchDescriptor(predicate: predicate, sortBy: order), sectionTitle, modelContext)
    }

    fileprivate init(
        _ descriptor: FetchDescriptor<Element>, _ sectionTitle: KeyPath<Element, SectionTitle>?,
        _ context: ModelContext
    ) {
        self.descriptor = descriptor
        self.sectionTitle = sectionTitle
        self.context = context
        follower.changed = { [weak self] in self?.change {} }
        fetch()
    }

    /// The models; empty if the fetch failed.
    public var results: [Element] {
        registrar.access(self, keyPath: \.results)
        if let models { return models }
        let made = (controller?.fetchedObjects ?? []).map { $0.model(Element.self) }
        models = made
        return made
    }

    /// The models by section, in the order in which the sections' first models come; of an observer without
    /// section titles, none.
    public var sections: [ResultsSection<Element, SectionTitle>] {
        guard let sectionTitle else { return [] }
        var sections: [ResultsSection<Element, SectionTitle>] = []
        var positions: [SectionTitle: Int] = [:]
        for model in results {
            let title = model[keyPath: sectionTitle]
            if let position = positions[title] {
                sections[position].elements.append(model)
            } else {
                positions[title] = sections.count
                sections.append(ResultsSection(title: title, elements: [model]))
            }
        }
        return sections
    }

    /// Why the last fetch failed; nil if it did not.
    public var fetchError: (any Error)? {
        registrar.access(self, keyPath: \.results)
        return failure
    }

    /// What is fetched; setting it fetches.
    public var fetchDescriptor: FetchDescriptor<Element> {
        get {
            registrar.access(self, keyPath: \.fetchDescriptor)
            return descriptor
        }
        set {
            registrar.withMutation(of: self, keyPath: \.fetchDescriptor) { descriptor = newValue }
            change(fetch)
        }
    }

    /// The condition that models meet; setting it fetches.
    public var filterBy: Predicate<Element>? {
        get { fetchDescriptor.predicate }
        set { fetchDescriptor.predicate = newValue }
    }

    /// The order of the models; setting it fetches.
    public var sortBy: [SortDescriptor<Element>] {
        get { fetchDescriptor.sortBy }
        set { fetchDescriptor.sortBy = newValue }
    }

    private func change(_ body: () -> Void) {
        registrar.withMutation(of: self, keyPath: \.results) {
            models = nil
            body()
        }
    }

    private func fetch() {
        do {
            let controller = NSFetchedResultsController(
                fetchRequest: try context.request(
                    descriptor, .managedObjectResultType, of: ModelObject.self),
                managedObjectContext: context.current, sectionNameKeyPath: nil, cacheName: nil)
            try controller.performFetch()
            controller.delegate = follower
            self.controller = controller
            failure = nil
        } catch {
            controller = nil
            failure = error
        }
    }
}

extension ResultsObserver where SectionTitle == Never {
    /// Makes the observer of a fetch.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: What to fetch.
    ///   - modelContext: The context.
    ///   - isolation: The actor whose code uses the context.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, modelContext: ModelContext,
        isolation: (any Actor)? = #isolation
    ) {
        self.init(fetchDescriptor, nil, modelContext)
    }

    /// Makes the observer of a fetch in the main context.
    @MainActor
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, modelContainer: ModelContainer,
        isolation: (any Actor)? = #isolation
    ) {
        self.init(fetchDescriptor, nil, modelContainer.mainContext)
    }

    /// Makes the observer of the models that meet a condition.
    public convenience init(
        filterBy predicate: Predicate<Element>? = nil, sortBy order: [SortDescriptor<Element>] = [],
        modelContext: ModelContext, isolation: (any Actor)? = #isolation
    ) {
        self.init(FetchDescriptor(predicate: predicate, sortBy: order), nil, modelContext)
    }
}

/// Models whose section title is the same.
public struct ResultsSection<Element: PersistentModel, Title: Hashable>: Identifiable {
    /// The title, which no other section has.
    public let title: Title
    /// The models, in the order of the results.
    public fileprivate(set) var elements: [Element]

    /// The title.
    public var id: Title { title }
}

/// What is told when the results of a controller change.
private final class ResultsFollower: NSObject, NSFetchedResultsControllerDelegate {
    var changed: () -> Void = {}

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        changed()
    }
}
