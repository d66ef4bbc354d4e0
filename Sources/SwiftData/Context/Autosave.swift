import CoreData
import Synchronization

/// What a context knows of the saves that it makes by itself.
struct Autosave {
    var isOn: Bool
    /// Whether a save is to come.
    var isScheduled = false
    /// When the context last saved by itself.
    var lastSave: ContinuousClock.Instant?
    /// Runs a save later; nil for the context's queue.
    var timer: ((_ save: @escaping @Sendable () -> Void) -> Void)?

    init(isOn: Bool) { self.isOn = isOn }

    /// How many seconds the next save waits, so that there is one a second at most.
    var delay: Double {
        guard let lastSave else { return 0 }
        return max(0, 1 - (ContinuousClock.now - lastSave) / .seconds(1))
    }
}

extension ModelContext {
    /// Whether the context saves changes by itself: true for the main context, false for others unless set.
    ///
    /// The main context and that of an actor save when their queue has run what changed models, and if they
    /// did so within the last second, when that is over. The main context also saves when the program ends by
    /// `exit` or the end of its main function. Any other context saves in `processPendingChanges()`. All save
    /// when they are freed. A save that fails is logged, and tried again after the next change.
    public var autosaveEnabled: Bool {
        get { autosave.isOn }
        set {
            autosave.isOn = newValue
            if newValue, context.hasChanges { scheduleSave() }
        }
    }

    /// Has a test decide when scheduled saves run.
    package func setAutosaveTimer(_ timer: @escaping (_ save: @escaping @Sendable () -> Void) -> Void) {
        autosave.timer = timer
    }

    /// Has changes saved later, if the context saves by itself.
    func scheduleSave() {
        guard autosave.isOn, !autosave.isScheduled, context.concurrencyType != .confinementConcurrencyType
        else { return }
        autosave.isScheduled = true
        SavesAtExit.add(context)
        let save: @Sendable () -> Void = { [weak context = context] in context?.owner?.saveByItself() }
        if let timer = autosave.timer {
            timer(save)
        } else {
            context.enqueueJob(after: autosave.delay, save)
        }
    }

    /// Saves changes, if there are any and the context saves by itself.
    func saveByItself() {
        autosave.isScheduled = false
        guard autosave.isOn, context.hasChanges else { return }
        autosave.lastSave = .now
        do {
            try save()
        } catch {
            // The next change of one of the models schedules a save again.
            for model in held { model._$backing?.isHeld = false }
            FrameworkLog.error("A context could not save by itself, and keeps its changes: \(error)")
        }
    }
}

/// The main contexts that save their changes when the program ends, if nothing has run their queue by then.
private enum SavesAtExit {
    private struct Link {
        weak var context: NSManagedObjectContext?
        /// The thread that changed the context, which alone may save it.
        let thread: pthread_t
    }

    private static let links = Mutex<[Link]>([])
    private static let install: Void = { _ = atexit { SavesAtExit.run() } }()

    static func add(_ context: NSManagedObjectContext) {
        guard context.concurrencyType == .mainQueueConcurrencyType else { return }
        install
        links.withLock { links in
            links.removeAll { $0.context == nil || $0.context === context }
            links.append(Link(context: context, thread: pthread_self()))
        }
    }

    private static func run() {
        let own = links.withLock { links in links.filter { pthread_equal($0.thread, pthread_self()) != 0 } }
        for link in own { link.context?.owner?.saveByItself() }
    }
}
