import Foundation

/// The calls that tell a delegate of batches, in the form that it implements: a snapshot, a difference, or
/// one call for each change.
///
/// Only calling a method shows whether a delegate implements it: each default implementation notes that it
/// was called. A batch whose snapshot the delegate did not take is then told in the next form, and no
/// snapshot is made again for any delegate of the class.
final class DelegateCalls: LiveResultsObserver {
    struct Methods: OptionSet {
        let rawValue: UInt8
        static let snapshot = Methods(rawValue: 1 << 0)
        static let difference = Methods(rawValue: 1 << 1)
        static let object = Methods(rawValue: 1 << 2)
        static let section = Methods(rawValue: 1 << 3)
    }

    private(set) weak var delegate: (any NSFetchedResultsControllerDelegate)?
    private weak var owner: (any ResultsControlling)?
    private var missing: Methods = []
    /// The methods that classes of delegates are known to lack.
    private static let missingOfClasses = Guarded<[ObjectIdentifier: Methods]>([:])

    init(to delegate: any NSFetchedResultsControllerDelegate, of owner: any ResultsControlling) {
        self.delegate = delegate
        self.owner = owner
    }

    /// Returns whether the delegate lacks a method, as far as that is known by now.
    func lacks(_ method: Methods) -> Bool {
        if missing.contains(method) { return true }
        guard let delegate else { return false }
        let type = ObjectIdentifier(type(of: delegate))
        missing.formUnion(Self.missingOfClasses.withLock { $0[type] ?? [] })
        return missing.contains(method)
    }

    /// Notes that the default implementation of a method was called.
    ///
    /// - Parameter receiver: The object whose default was called: the delegate, or one to which it forwards
    ///   its calls; then other delegates of its class may forward to others, and only this delegate is noted.
    func noteMissing(_ method: Methods, of receiver: any NSFetchedResultsControllerDelegate) {
        missing.insert(method)
        guard receiver === delegate else { return }
        let type = ObjectIdentifier(type(of: receiver))
        Self.missingOfClasses.withLock { _ = $0[type, default: []].insert(method) }
    }

    private typealias Controller = NSFetchedResultsController<any NSFetchRequestResult>
    private typealias Changes = ResultChanges<NSObject>

    func results(
        _ results: LiveResults, went from: ResultList<NSObject>, by changes: ResultChanges<NSObject>
    ) {
        guard let delegate, let controller = owner?.untyped else { return }
        if sendSnapshot(of: results, changes, to: delegate, controller) { return }
        if !from.isSectioned, sendDifference(changes, to: delegate, controller) { return }
        results.showing(from) { delegate.controllerWillChangeContent(controller) }
        sendSections(changes, to: delegate, controller)
        sendObjects(changes, to: delegate, controller)
        delegate.controllerDidChangeContent(controller)
    }

    /// Sends the first snapshot to a delegate that takes snapshots.
    func resultsWereFetched(_ results: LiveResults) {
        guard let delegate, let controller = owner?.untyped else { return }
        CallerIsolation.none.run {
            _ = sendSnapshot(of: results, ResultChanges(), to: delegate, controller)
        }
    }

    /// Sends snapshots and differences, which consist of IDs.
    ///
    /// Delegates that are told of objects have the IDs already.
    func resultsGotIDs(_ results: LiveResults, _ changes: ResultChanges<NSObject>) {
        guard let delegate, let controller = owner?.untyped, let list = results.list else { return }
        if sendSnapshot(of: results, changes, to: delegate, controller) || list.isSectioned { return }
        _ = sendDifference(changes, to: delegate, controller)
    }

    // MARK: The batch as a whole

    private func sendSnapshot(
        of results: LiveResults, _ changes: Changes, to delegate: any NSFetchedResultsControllerDelegate,
        _ controller: Controller
    ) -> Bool {
        guard !lacks(.snapshot), let list = results.list else { return false }
        var snapshot = NSDiffableDataSourceSnapshotReference(list, changes)
        delegate.controller(controller, didChangeContentWith: snapshot)
        if !isKnownUniquelyReferenced(&snapshot) { snapshot.readIDs() }
        return !missing.contains(.snapshot)
    }

    private func sendDifference(
        _ changes: Changes, to delegate: any NSFetchedResultsControllerDelegate, _ controller: Controller
    ) -> Bool {
        guard !lacks(.difference), let difference = CollectionDifference(changes) else {
            return false
        }
        delegate.controller(controller, didChangeContentWith: difference)
        return !missing.contains(.difference)
    }

    // MARK: One by one

    private func sendSections(
        _ changes: Changes, to delegate: any NSFetchedResultsControllerDelegate, _ controller: Controller
    ) {
        func send(_ changes: [Changes.SectionChange], _ type: NSFetchedResultsChangeType) {
            for change in changes where !missing.contains(.section) {
                delegate.controller(
                    controller, didChange: FetchedResultsSection(change.section, of: controller),
                    atSectionIndex: change.index, for: type)
            }
        }
        // As in Apple's framework, a section that is gone has no objects any more.
        let gone = changes.removedSections.map { change in
            Changes.SectionChange(
                index: change.index, section: .init(name: change.section.name, elements: []))
        }
        send(gone, .delete)
        send(changes.insertedSections, .insert)
    }

    private func sendObjects(
        _ changes: Changes, to delegate: any NSFetchedResultsControllerDelegate, _ controller: Controller
    ) {
        func send(
            _ object: NSObject, _ from: ResultPosition?, _ type: NSFetchedResultsChangeType,
            _ to: ResultPosition?
        ) {
            guard !missing.contains(.object) else { return }
            delegate.controller(
                controller, didChange: object, at: from.map(IndexPath.init), for: type,
                newIndexPath: to.map(IndexPath.init))
        }
        for change in changes.removed { send(change.element, change.position, .delete, nil) }
        for change in changes.inserted { send(change.element, nil, .insert, change.position) }
        for change in changes.moved { send(change.element, change.from, .move, change.to) }
        for change in changes.updated { send(change.element, change.from, .update, change.to) }
    }
}

extension CollectionDifference where ChangeElement == NSManagedObjectID {
    private typealias Step = (offset: Int, element: NSObject, associated: Int?)

    /// Makes the difference of a list without sections.
    ///
    /// An updated object is removed and inserted.
    init?(_ changes: ResultChanges<NSObject>) {
        func id(_ element: NSObject) -> NSManagedObjectID {
            guard let object = element as? NSManagedObject else {
                programmerError("a collection difference needs managed objects, not \(type(of: element))")
            }
            return object.objectID
        }
        var removals: [Step] = []
        var insertions: [Step] = []
        for change in changes.removed { removals.append((change.position.row, change.element, nil)) }
        for change in changes.inserted { insertions.append((change.position.row, change.element, nil)) }
        for change in changes.moved + changes.updated {
            removals.append((change.from.row, change.element, change.to.row))
            insertions.append((change.to.row, change.element, change.from.row))
        }
        // `CollectionDifference` sorts changes that are in another order than its own, which takes longer
        // than the rest of this function.
        removals.sort { $0.offset < $1.offset }
        insertions.sort { $0.offset < $1.offset }
        var steps: [Change] = []
        steps.reserveCapacity(removals.count + insertions.count)
        for (offset, element, other) in removals {
            steps.append(.remove(offset: offset, element: id(element), associatedWith: other))
        }
        for (offset, element, other) in insertions {
            steps.append(.insert(offset: offset, element: id(element), associatedWith: other))
        }
        self.init(steps)
    }
}
