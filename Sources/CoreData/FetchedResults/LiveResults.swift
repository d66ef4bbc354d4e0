import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// An observer of the changes of results: a controller's delegate or a stream.
protocol LiveResultsObserver: AnyObject {
    /// Called when the results have changed from one list to the next, which they already show.
    func results(_ results: LiveResults, went from: ResultList<NSObject>, by changes: ResultChanges<NSObject>)
    /// Called when the results were fetched again.
    func resultsWereFetched(_ results: LiveResults)
    /// Called when a save gave some of the results their permanent IDs. The changes contain only updates of
    /// these results.
    func resultsGotIDs(_ results: LiveResults, _ changes: ResultChanges<NSObject>)
}

/// The results of a request in sections, which follow their context while there are observers.
///
/// Fetched results controllers and streams of results are built on it. It is used on the context's queue.
///
/// An event costs one pass over the results and a test of each object that changed in a value on which the
/// request depends; nothing is fetched again. Only requests with a limit or an offset, and those that exclude
/// unsaved changes, are fetched again, since the object that moves up into their window is not known.
final class LiveResults: ContextChangeFollower {
    let context: NSManagedObjectContext
    let request: FetchRequestStorage
    let sectionKeyPath: String?
    let cacheName: String?
    /// Whether the results are fetched again when the context is reset.
    ///
    /// Otherwise they stay as they are until `fetch()` is called.
    var survivesReset = false
    /// The results; nil until they have been fetched.
    private(set) var list: ResultList<NSObject>?
    /// Whether the context was reset, so that it does not have these objects any more.
    private var isStale = false

    /// The context's count of silent changes (those that no event tells of) from which on every change was
    /// followed; nil if some may have been missed.
    ///
    /// While none was missed, every object that an event did not change is as it was when the results were
    /// last tested.
    private var followedFrom: Int?
    /// The tracker's count of changes when the results last agreed with the context, while there are no
    /// observers.
    private var seenChangeCount: Int?
    /// The event that was open when the results were fetched, and the count of silent changes up to then.
    ///
    /// Once the end of that event was followed, nothing was missed.
    private var fetchedWithin: (event: Int, silentChanges: Int)?

    private var test: ResultTest?
    private var observers: [any LiveResultsObserver] = []
    /// The events that are still to be followed.
    private var waiting: [ContextEvent] = []
    private var isFollowing = false

    init(
        _ request: FetchRequestStorage, in context: NSManagedObjectContext, sectionKeyPath: String?,
        cacheName: String?
    ) {
        self.request = request
        self.context = context
        self.sectionKeyPath = sectionKeyPath
        self.cacheName = cacheName
    }

    // MARK: Fetching

    /// Replaces the results by those of a fetch.
    func fetch() throws {
        let test = try ResultTest(request, sectionKeyPath: sectionKeyPath, in: context)
        list = try fetchedList(test)
        self.test = test
        isStale = false
        noteSeen()
        for observer in observers { observer.resultsWereFetched(self) }
    }

    private func fetchedList(_ test: ResultTest) throws -> ResultList<NSObject> {
        guard sectionKeyPath != nil else { return ResultList(try fetchedObjects()) }
        let cache = cacheName.flatMap { SectionCache(named: $0, for: self) }
        let objects = try fetchedObjects()
        if let sections = cache?.sections(of: objects) { return ResultList(sections: sections) }
        do {
            let list = try namedByRows(objects, test) ?? ResultList(objects, sectionName: test.sectionName)
            cache?.keep(list.sections)
            return list
        } catch let error as ResultList<NSObject>.OutOfOrder {
            throw CoreDataError.error(
                NSCoreDataError,
                reason: "The fetched object at index \(error.index) has an out of order section name "
                    + "'\(error.name)'. Objects must be sorted by section name.")
        }
    }

    /// Returns the objects in the sections that their stored rows name, or nil where rows do not tell the
    /// names or another context or process saved after the fetch.
    private func namedByRows(_ objects: [NSObject], _ test: ResultTest) throws -> ResultList<NSObject>? {
        guard let sectionKeyPath,
            var names = try StoredSectionNames(sectionKeyPath, of: test, request, in: context)
        else { return nil }
        do {
            return try ResultList(objects) { try names.name(of: $0) ?? test.sectionName(of: $0) }
        } catch is ResultList<NSObject>.OutOfOrder {
            return nil
        }
    }

    private func fetchedObjects() throws -> [NSObject] {
        switch request.resultType {
        case .managedObjectResultType:
            let objects = try context.fetch(NSFetchRequest<NSManagedObject>(sharing: request))
            return unsafeBitCast(objects, to: [NSObject].self)
        case .managedObjectIDResultType:
            return try context.fetch(NSFetchRequest<NSManagedObjectID>(sharing: request))
        default:
            return try context.fetch(NSFetchRequest<NSObject>(sharing: request))
        }
    }

    // MARK: Observing

    /// Whether nothing can have changed unnoticed since the results were tested.
    var hasSeenAll: Bool { followedFrom == context.changeFeed.silentChanges }

    /// Records that the results agree with the context.
    private func noteSeen() {
        let feed = context.changeFeed
        guard context.tracker.hasPending else {
            (followedFrom, seenChangeCount, fetchedWithin) = (
                feed.silentChanges, context.tracker.changeCount, nil
            )
            return
        }
        (followedFrom, seenChangeCount, fetchedWithin) = (nil, nil, (feed.eventCount + 1, feed.silentChanges))
    }

    /// Records that every reported event has been followed.
    private func noteFollowed() {
        guard let fetchedWithin, fetchedWithin.event <= context.changeFeed.eventCount else { return }
        followedFrom = fetchedWithin.silentChanges
        self.fetchedWithin = nil
    }

    func add(_ observer: any LiveResultsObserver) {
        guard !observers.contains(where: { $0 === observer }) else { return }
        observers.append(observer)
        if observers.count == 1 { beginFollowing() }
    }

    func remove(_ observer: any LiveResultsObserver) {
        observers.removeAll { $0 === observer }
        if observers.isEmpty { endFollowing() }
    }

    /// Begins to follow the context.
    ///
    /// Results that are not objects stay as they were fetched.
    private func beginFollowing() {
        guard request.resultType == .managedObjectResultType else { return }
        if seenChangeCount != context.tracker.changeCount { followedFrom = nil }
        if let fetchedWithin, fetchedWithin.event <= context.changeFeed.eventCount {
            self.fetchedWithin = nil
        }
        context.changeFeed.add(self)
    }

    private func endFollowing() {
        context.changeFeed.remove(self)
        waiting = []
        if hasSeenAll { noteSeen() }
    }

    // MARK: Following

    var awaitedEntities: Range<EntityIndex> { test?.entities ?? 0..<0 }

    /// Follows an event.
    ///
    /// Events that observers cause wait until all observers have seen the one before.
    func follow(_ event: ContextEvent) {
        if event.isReset { isStale = !survivesReset }
        guard !isStale, list != nil, let test else { return }
        if event.concerns(test.entities) { waiting.append(event) }
        guard !isFollowing else { return }
        isFollowing = true
        defer { isFollowing = false }
        while !waiting.isEmpty { take(waiting.removeFirst()) }
        noteFollowed()
    }

    func followSave(_ event: ContextEvent) {
        guard request.includesPendingChanges else { return follow(event) }
        let inserted = event.objects(NSInsertedObjectsKey)
        guard let list, !isStale, !inserted.isEmpty else { return }
        var changes = ResultChanges<NSObject>()
        for position in list.positions(of: Array(inserted)).values {
            changes.updated.append(.init(element: list[position], from: position, to: position))
        }
        guard !changes.isEmpty else { return }
        changes.updated.sort { $0.to < $1.to }
        for observer in observers { observer.resultsGotIDs(self, changes) }
    }

    private func take(_ event: ContextEvent) {
        guard let old = list, let test else { return }
        do {
            guard let (new, changes) = try update(of: old, for: event, test), !changes.isEmpty else { return }
            list = new
            for observer in observers { observer.results(self, went: old, by: changes) }
        } catch {
            (followedFrom, fetchedWithin) = (nil, nil)
            FrameworkLog.warning(
                "The results of \(request.printed) cannot follow their context and stay as they are: \(error)"
            )
        }
    }

    /// Shows other results while `body` runs.
    func showing(_ shown: ResultList<NSObject>, _ body: () -> Void) {
        let present = list
        list = shown
        body()
        list = present
    }

    private func update(
        of old: ResultList<NSObject>, for event: ContextEvent, _ test: ResultTest
    ) throws -> (list: ResultList<NSObject>, changes: ResultChanges<NSObject>)? {
        if event.isReset || isWindow {
            let touched = event.changed.filter { test.entities.contains($0.entity) && $0.change != .deletion }
            return try ResultListUpdate.difference(
                from: old, to: fetchedList(test),
                touched: Set(touched.lazy.flatMap(\.objects).map { ObjectIdentifier($0) }))
        }
        return try EventEffect(event, on: old, test, isKnown: hasSeenAll).applied()
    }

    private var isWindow: Bool {
        request.fetchLimit > 0 || request.fetchOffset > 0 || !request.includesPendingChanges
    }
}
