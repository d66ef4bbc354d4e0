public import Foundation

/// The results of a fetch request in sections, by index path, which follow the changes of their context, for
/// use in lists.
///
/// The controller follows its context from `performFetch()` on, while it has a delegate or one of its streams
/// is read; otherwise it shows what was fetched. It passes the changes of an event to its delegate in one
/// batch, after they are made; `NSFetchedResultsControllerDelegate` describes the order. An event costs a
/// test of each object that changed, and no fetch. Changes of objects behind the key paths of the request
/// count when the object itself changes, as in Apple's framework. Results that are not managed objects are
/// not followed.
///
/// The controller is used on the context's queue, and holds its delegate weakly.
///
/// Unlike Apple's: a controller whose request has a limit or an offset, or leaves unsaved changes aside,
/// fetches again at each event that concerns its entity, so that its window holds; Apple's grows beyond the
/// limit. A merge registers objects, as faults, for rows that another context changed and this context did
/// not have, if a controller follows their entity.
open class NSFetchedResultsController<ResultType>: NSObject {
    final private(set) var results: LiveResults
    final private var calls: DelegateCalls?
    /// The controller that delegates are given: it shares these results under the type that delegates know.
    final private var twin: NSFetchedResultsController<any NSFetchRequestResult>?
    /// The controller that the app made, if this one is its twin; otherwise nil.
    final private weak var original: (any ResultsControlling)?

    /// Makes a controller without results; `performFetch()` gets them.
    ///
    /// Traps if the request's sort descriptors are nil.
    ///
    /// - Parameters:
    ///   - fetchRequest: The request; it is read at each `performFetch()`.
    ///   - context: The context that is fetched from and followed.
    ///   - sectionNameKeyPath: The key path of an object's section name; nil for a single section without a
    ///     name. The request has to sort by it first, or by something that gives the same order.
    ///   - name: The name of a file that keeps the sections between runs of the program, so that a fetch need
    ///     not read the objects for them; nil for none. The controller notices when request, model or store
    ///     are not those of the file.
    ///
    /// Unlike Apple's: a cache that does not fit the request is replaced, where Apple's raises an exception;
    /// requests whose predicate holds closures or objects have no cache.
    public init(
        fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?, cacheName name: String?
    ) {
        if fetchRequest.sortDescriptors == nil {
            programmerError(
                "An instance of NSFetchedResultsController requires a fetch request with sort descriptors: the one "
                    + "for \(fetchRequest.entityName ?? "no entity") has none.")
        }
        self.fetchRequest = fetchRequest
        results = LiveResults(
            fetchRequest.storage, in: context, sectionKeyPath: sectionNameKeyPath, cacheName: name)
        super.init()
    }

    /// Makes the twin of a controller.
    ///
    /// It is no designated initializer, so that subclasses inherit the public one.
    convenience init(sharing original: some ResultsControlling) {
        let results = original.results
        self.init(
            fetchRequest: NSFetchRequest<ResultType>(sharing: results.request),
            managedObjectContext: results.context, sectionNameKeyPath: results.sectionKeyPath,
            cacheName: results.cacheName)
        self.results = results
        self.original = original
    }

    deinit {
        if let calls { results.remove(calls) }
    }

    // MARK: Properties

    /// The request that the controller was made with.
    public final let fetchRequest: NSFetchRequest<ResultType>
    /// The context that the controller fetches from and follows.
    open var managedObjectContext: NSManagedObjectContext { results.context }
    /// The key path of the section names; nil if the results are one section.
    open var sectionNameKeyPath: String? { results.sectionKeyPath }
    /// The name of the file that keeps the sections; nil for none.
    open var cacheName: String? { results.cacheName }

    // MARK: Fetching

    /// Executes the request and replaces the results.
    ///
    /// Only delegates that take snapshots are told. Call it again after the context was reset: until
    /// then the controller shows what it did before, and follows nothing.
    ///
    /// - Throws: The errors of the context's `fetch(_:)`; error 134060 (`NSCoreDataError`) of
    ///   `NSCocoaErrorDomain` if the objects of a section do not lie together.
    open func performFetch() throws { try results.fetch() }

    /// The object that is told of changes.
    ///
    /// Setting one starts following the context, nil ends it. The delegate is held weakly.
    ///
    /// Unlike Apple's: every delegate makes the controller follow its context, also one that implements none
    /// of the methods. The delegate's methods get a controller of the type `NSFetchedResultsController<any
    /// NSFetchRequestResult>`, which equals this one, also by `===`, but lacks the stored properties of a
    /// subclass.
    open var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { original?.delegate ?? calls?.delegate }
        set {
            if let original { return original.delegate = newValue }
            if let calls { results.remove(calls) }
            calls = newValue.map { DelegateCalls(to: $0, of: self) }
            if let calls { results.add(calls) }
        }
    }

    /// Deletes the section cache of the given name, or with nil all caches of this program.
    open class func deleteCache(withName name: String?) { SectionCache.delete(named: name) }

    // MARK: Results

    /// All results, in order; nil before `performFetch()`.
    open var fetchedObjects: [ResultType]? {
        guard let elements = results.list?.elements else { return nil }
        if results.request.resultType == .managedObjectResultType {
            let objects = unsafeBitCast(elements, to: [NSManagedObject].self)
            if let typed: [ResultType] = NSManagedObjectContext.downcast(objects) { return typed }
        }
        return elements.map(typed)
    }

    /// Returns the result at an index path.
    ///
    /// Traps if there is none, and before `performFetch()`.
    open func object(at indexPath: IndexPath) -> ResultType {
        guard let list = results.list else {
            programmerError("NSFetchedResultsController has no objects: call performFetch() first.")
        }
        let position = ResultPosition(indexPath)
        guard list.contains(position) else {
            programmerError(
                "NSFetchedResultsController has no object at \(indexPath): its sections have "
                    + "\(list.sections.map(\.elements.count)) objects.")
        }
        return typed(list[position])
    }

    /// Returns the index path of a result, or nil for an object that is not among the results.
    ///
    /// It searches the list from its beginning.
    open func indexPath(forObject object: ResultType) -> IndexPath? {
        guard let object = object as? NSObject else { return nil }
        return results.list?.position(of: object).map(IndexPath.init)
    }

    private final func typed(_ element: NSObject) -> ResultType {
        guard let typed = element as? ResultType else {
            programmerError(
                "The results of \(fetchRequest.entityName ?? "?") are \(type(of: element))s, not \(ResultType.self)s: "
                    + "the class of the entity or the request's resultType does not fit the controller's type."
            )
        }
        return typed
    }

    // MARK: Sections

    /// The sections in order, or nil before `performFetch()`.
    ///
    /// Without a key path for names there is one section, whose name is empty. Each access makes new section
    /// objects.
    open var sections: [any NSFetchedResultsSectionInfo]? {
        results.list?.sections.map { FetchedResultsSection($0, of: self) }
    }

    /// Returns the title of a section in an index of the list, or nil if the section is to have none.
    ///
    /// It is what the delegate answers, or the first letter of the name in upper case.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        if let original { return original.sectionIndexTitle(forSectionName: sectionName) }
        guard let delegate else { return SectionIndex.title(of: sectionName) }
        return delegate.controller(untyped, sectionIndexTitleForSectionName: sectionName)
    }

    /// The titles of all sections for an index of the list.
    ///
    /// Neighbouring sections with equal titles share one.
    open var sectionIndexTitles: [String] { sectionIndex.titles }

    /// Returns the number of the first section that an index title stands for.
    ///
    /// Traps if `sectionIndexTitles` does not have the title at the given place.
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        self.sectionIndex.section(under: title, at: sectionIndex)
    }

    private final var sectionIndex: SectionIndex {
        SectionIndex((results.list?.sections ?? []).map { sectionIndexTitle(forSectionName: $0.name) })
    }

    // MARK: Identity

    /// Returns whether both controllers show the same results, as the one that was made and the one that
    /// delegates are given do.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? any ResultsControlling)?.results === results
    }

    /// A hash value, equal for controllers that show the same results.
    open override var hash: Int { ObjectIdentifier(results).hashValue }
}

/// A fetched results controller of any result type.
protocol ResultsControlling: AnyObject {
    var results: LiveResults { get }
    var delegate: (any NSFetchedResultsControllerDelegate)? { get set }
    var delegateCalls: DelegateCalls? { get }
    /// The controller as delegates know it: itself, or one that shares its results, always the same.
    var untyped: NSFetchedResultsController<any NSFetchRequestResult> { get }
    func sectionIndexTitle(forSectionName sectionName: String) -> String?
}

extension NSFetchedResultsController: ResultsControlling {
    final var delegateCalls: DelegateCalls? { original?.delegateCalls ?? calls }

    final var untyped: NSFetchedResultsController<any NSFetchRequestResult> {
        if let own = self as? NSFetchedResultsController<any NSFetchRequestResult> { return own }
        if let twin { return twin }
        let new = NSFetchedResultsController<any NSFetchRequestResult>(sharing: self)
        twin = new
        return new
    }
}

extension ResultPosition {
    init(_ indexPath: IndexPath) {
        guard indexPath.count == 2 else {
            programmerError("\(indexPath) has to be made with init(row:section:) or init(item:section:).")
        }
        self.init(section: indexPath.section, row: indexPath.row)
    }
}

extension IndexPath {
    init(_ position: ResultPosition) {
        self.init(row: position.row, section: position.section)
    }
}
