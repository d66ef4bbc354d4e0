public import Foundation

/// The results of a fetch request in sections, for lists: by index path, and following the changes of their context
/// for a delegate.
///
/// The controller follows its context from `performFetch()` on, while it has a delegate or one of its streams is
/// read; without, it shows what was fetched. It tells of an event's changes in one batch, after they are
/// made; see `NSFetchedResultsControllerDelegate` for the order. An event costs a test of each object that changed,
/// no fetch. Changes of objects behind the key paths of the request count when the object itself changes, as in
/// Apple's framework.
///
/// Used on the context's queue. The delegate is held weakly.
open class NSFetchedResultsController<ResultType>: NSObject {
    final private(set) var results: LiveResults
    final private var calls: DelegateCalls?
    /// The same results under the type that delegates know.
    final private var twin: NSFetchedResultsController<any NSFetchRequestResult>?
    /// Of a twin, whose it is.
    final private weak var original: (any ResultsControlling)?

    /// Traps if the request's sort descriptors are nil.
    ///
    /// - Parameters:
    ///   - sectionNameKeyPath: Leads to what names the section of an object. The request has to sort by it first,
    ///     or by something that gives the same order.
    ///   - name: A file that keeps the sections between runs of the program, so that fetching them need not read
    ///     the objects. It notices when the request, the model or the store is not what it was.
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

    /// No designated initializer, so that subclasses inherit the public one.
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

    // MARK: What it was made with

    public final let fetchRequest: NSFetchRequest<ResultType>
    open var managedObjectContext: NSManagedObjectContext { results.context }
    open var sectionNameKeyPath: String? { results.sectionKeyPath }
    open var cacheName: String? { results.cacheName }

    // MARK: Fetching

    /// Fetches, and replaces what was there. Of delegates only those that take snapshots are told. To be called again
    /// after the context was reset: until then the controller shows what it did, and follows nothing. Throws what a fetch throws, and if the objects
    /// of a section are not all together.
    open func performFetch() throws { try results.fetch() }

    /// Who is told of changes. Setting one starts following, nil ends it.
    open var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { original?.delegate ?? calls?.delegate }
        set {
            if let original { return original.delegate = newValue }
            if let calls { results.remove(calls) }
            calls = newValue.map { DelegateCalls(to: $0, of: self) }
            if let calls { results.add(calls) }
        }
    }

    /// Removes the file of a name, or with nil all of this program.
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

    /// The result at a place; traps if there is none.
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

    /// Where a result lies; nil for what is none. Searches the list.
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

    /// The sections; one without a name if there is no key path for names. Nil before `performFetch()`.
    open var sections: [any NSFetchedResultsSectionInfo]? {
        results.list?.sections.map { FetchedResultsSection($0, of: self) }
    }

    /// The title in an index of a section: what the delegate says, or the first letter of the name in upper case.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        if let original { return original.sectionIndexTitle(forSectionName: sectionName) }
        guard let delegate else { return SectionIndex.title(of: sectionName) }
        return delegate.controller(untyped, sectionIndexTitleForSectionName: sectionName)
    }

    /// The titles of all sections. Neighbours that have the same share it.
    open var sectionIndexTitles: [String] { sectionIndex.titles }

    /// The first section under a title of the index, which must be at this place in `sectionIndexTitles`.
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        self.sectionIndex.section(under: title, at: sectionIndex)
    }

    private final var sectionIndex: SectionIndex {
        SectionIndex((results.list?.sections ?? []).map { sectionIndexTitle(forSectionName: $0.name) })
    }

    // MARK: Identity

    /// Controllers are equal if they show the same results: the one that delegates are given equals the one that was
    /// made.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? any ResultsControlling)?.results === results
    }

    open override var hash: Int { ObjectIdentifier(results).hashValue }
}

/// What a controller is, whatever its results are cast to.
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
