public import CoreData

/// A change processor for objects of one class that match a predicate. An object is processed at most once at
/// a time.
///
/// The predicate records what is still to be done, even if the program ends: it matches an object until the
/// service has the object.
///
///     final class NoteUploader: ElementChangeProcessor {
///         let elementsInProgress = InProgressTracker<Note>()
///         var predicateForLocallyTrackedElements: NSPredicate { Note.waitingForUploadPredicate }
///
///         func processChangedLocalElements(_ notes: [Note], in context: any ChangeProcessorContext) {
///             let drafts = notes.map(Draft.init)
///             context.request { try await upload(drafts) } then: { result in
///                 guard case .success(let ids) = result else { return self.didFail(notes, in: context) }
///                 for (note, id) in zip(notes, ids) { note.remoteIdentifier = id }
///                 context.delayedSaveOrRollback()
///                 self.didComplete(notes, in: context)
///             }
///         }
///     }
public protocol ElementChangeProcessor: ChangeProcessor {
    /// The class of the objects.
    associatedtype Element: Managed

    /// The objects that are in progress.
    var elementsInProgress: InProgressTracker<Element> { get }

    /// The condition for an object to be processed.
    var predicateForLocallyTrackedElements: NSPredicate { get }

    /// The time to wait before objects that failed are processed again.
    var backoff: Backoff { get }

    /// Begins to process objects.
    ///
    /// They are in progress until ``didComplete(_:in:)`` or ``didFail(_:in:)`` is called with them, so one of
    /// these must always be called.
    func processChangedLocalElements(_ elements: [Element], in context: any ChangeProcessorContext)
}

extension ElementChangeProcessor {
    /// One second, two, four, and so on, up to five minutes.
    public var backoff: Backoff { Backoff() }

    /// Processes the objects that match the predicate and are not in progress.
    ///
    /// Faults among them are filled first, by one statement.
    public func processChangedLocalObjects(
        _ objects: [NSManagedObject], in context: any ChangeProcessorContext
    ) {
        let matching = objects.compactMap { $0 as? Element }.filter(trackedElements(in: context))
        let elements = elementsInProgress.objectsToProcess(from: matching)
        if !elements.isEmpty { processChangedLocalElements(elements, in: context) }
    }

    /// Returns the element's entity and the predicate.
    public func entityAndPredicateForLocallyTrackedObjects(
        in context: any ChangeProcessorContext
    ) -> EntityAndPredicate<NSManagedObject>? {
        let tracked = trackedElements(in: context)
        return EntityAndPredicate(entity: tracked.entity, predicate: tracked.predicate)
    }

    /// Ends the progress of objects.
    ///
    /// Objects that still match the predicate, because they changed meanwhile or because the service did not
    /// accept them, are processed again at once.
    public func didComplete(_ elements: [Element], in context: any ChangeProcessorContext) {
        elementsInProgress.markObjectsAsComplete(elements)
        context.processChangedLocalObjects(elements)
    }

    /// Schedules that objects are processed again after a delay, if they still match the predicate then.
    ///
    /// The delay grows with the number of successive failures. The objects stay in progress until then.
    public func didFail(_ elements: [Element], in context: any ChangeProcessorContext) {
        let failures = elementsInProgress.noteFailure(of: elements)
        context.perform(after: backoff.delay(afterFailures: failures)) { [self] in
            elementsInProgress.release(elements)
            context.processChangedLocalObjects(elements)
        }
    }

    private func trackedElements(in context: any ChangeProcessorContext) -> EntityAndPredicate<Element> {
        guard let entity = NSEntityDescription.entity(forEntityName: Element.entityName, in: context.context)
        else {
            programmerError("The model of \(context.context) has no entity \(Element.entityName) to process.")
        }
        return EntityAndPredicate(entity: entity, predicate: predicateForLocallyTrackedElements)
    }
}
