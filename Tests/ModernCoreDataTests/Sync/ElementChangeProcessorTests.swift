import CoreData
import ModernCoreData
import Testing

@Suite("Change processors for objects of a class")
@MainActor
struct ElementChangeProcessorTests {
    private let stack: NotesStack
    private let context: ContextAtHand
    private let processor = Collector()

    init() throws {
        stack = try NotesStack()
        context = ContextAtHand(stack.context, processor)
    }

    private func notes(_ titles: String...) throws -> [Note] {
        let notes = titles.map { stack.insert($0)[0] }
        try stack.context.save()
        return notes
    }

    @Test("Matching objects of the class are processed, others are not")
    func matching() throws {
        let notes = try notes("a1", "b1", "a2")
        let notebook: Notebook = stack.context.insertObject()
        notebook.name = "a3"
        try stack.context.save()
        context.processChangedLocalObjects(notes + [notebook])
        #expect(processor.processed == [[notes[0], notes[2]]])
        context.processChangedLocalObjects([notes[1], notebook])
        #expect(processor.processed.count == 1)
    }

    @Test("Objects in progress are not processed again until complete, and then if they match")
    func completing() throws {
        let notes = try notes("a1", "a2")
        context.processChangedLocalObjects(notes)
        context.processChangedLocalObjects(notes)
        #expect(processor.processed == [notes])
        notes[0].title = "done"
        processor.didComplete(notes, in: context)
        #expect(processor.processed == [notes, [notes[1]]])
        notes[1].title = "done"
        processor.didComplete([notes[1]], in: context)
        #expect(processor.processed.count == 2)
        #expect(processor.elementsInProgress.isEmpty)
    }

    @Test("Failed objects are retried after a delay, which grows with each failure")
    func failing() throws {
        let notes = try notes("a1")
        context.processChangedLocalObjects(notes)
        processor.didFail(notes, in: context)
        context.processChangedLocalObjects(notes)
        #expect(processor.processed.count == 1)
        context.runDelayed()
        #expect(processor.processed == [notes, notes])
        processor.didFail(notes, in: context)
        context.runDelayed()
        processor.didComplete(notes, in: context)
        processor.didFail(notes, in: context)
        #expect(context.delays == [.seconds(1), .seconds(2), .seconds(1)])
    }

    @Test("An object deleted while in progress is released")
    func deleted() throws {
        let notes = try notes("a1", "a2")
        context.processChangedLocalObjects(notes)
        stack.context.delete(notes[0])
        try stack.context.save()
        stack.context.delete(notes[1])
        processor.didComplete(notes, in: context)
        #expect(processor.processed.count == 1)
        #expect(processor.elementsInProgress.isEmpty)
    }

    @Test("The request for tracked objects finds those that match, with their values")
    func waiting() throws {
        _ = try notes("a1", "b1")
        stack.context.reset()
        let tracked = try #require(processor.entityAndPredicateForLocallyTrackedObjects(in: context))
        #expect(tracked.entity.name == "Note")
        let found = try stack.context.fetch(tracked.fetchRequest)
        #expect(found.map { ($0 as? Note)?.title } == ["a1"])
        #expect(!found[0].isFault)
    }
}

/// Records the objects that it is asked to process.
private final class Collector: ElementChangeProcessor {
    let elementsInProgress = InProgressTracker<Note>()
    var processed: [[Note]] = []

    var predicateForLocallyTrackedElements: NSPredicate { NSPredicate(format: "title BEGINSWITH 'a'") }

    func processChangedLocalElements(_ notes: [Note], in context: any ChangeProcessorContext) {
        processed.append(notes)
    }
}

/// Runs blocks at once, and delayed blocks on request.
private final class ContextAtHand: ChangeProcessorContext, @unchecked Sendable {
    let context: NSManagedObjectContext
    private let processor: Collector
    private var delayed: [() -> Void] = []
    private(set) var delays: [Duration] = []

    init(_ context: NSManagedObjectContext, _ processor: Collector) {
        self.context = context
        self.processor = processor
    }

    func perform(_ block: @escaping () -> Void) { block() }

    func perform(after delay: Duration, _ block: @escaping () -> Void) {
        delays.append(delay)
        delayed.append(block)
    }

    func runDelayed() {
        let blocks = delayed
        delayed = []
        for block in blocks { block() }
    }

    func delayedSaveOrRollback() { context.saveOrRollback() }

    func processChangedLocalObjects(_ objects: [NSManagedObject]) {
        processor.processChangedLocalObjects(objects, in: self)
    }
}
