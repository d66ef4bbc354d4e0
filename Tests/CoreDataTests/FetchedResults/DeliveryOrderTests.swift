import CoreData
import Foundation
import Testing

@Suite("Controllers beside observers of notifications")
@MainActor
struct DeliveryOrderTests {
    private let stack: TestStack
    private let controller: TaskStack.Controller
    private let recorder = DelegateRecorder()

    init() throws {
        stack = try TaskStack.make()
        controller = TaskStack.controller(stack.context)
        controller.delegate = recorder
        try controller.performFetch()
    }

    private var titles: [String] { controller.fetchedObjects?.map(TaskStack.title) ?? [] }

    /// Calls a closure for each notification of changes while `body` runs.
    private func observing(_ closure: @escaping @MainActor () -> Void, _ body: () -> Void) {
        let tokens = (0..<8).map { _ in
            NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: stack.context, queue: nil
            ) { _ in MainActor.assumeIsolated(closure) }
        }
        body()
        tokens.forEach(NotificationCenter.default.removeObserver)
    }

    @Test("Controllers are up to date when observers of a change are called")
    func upToDate() {
        var seen: [[String]] = []
        observing({ seen.append(titles) }) {
            stack.task("milk", "home", rank: 1)
            stack.context.processPendingChanges()
        }
        #expect(seen == Array(repeating: ["milk"], count: 8))
    }

    @Test("A delegate is told of a change before it is told of changes that observers make in turn")
    func inOrder() {
        var isFirst = true
        observing({
            guard isFirst else { return }
            isFirst = false
            stack.task("rent", "home", rank: 2)
            stack.context.processPendingChanges()
        }) {
            stack.task("milk", "home", rank: 1)
            stack.context.processPendingChanges()
        }
        let inserted = recorder.take().filter { $0.hasPrefix("milk") || $0.hasPrefix("rent") }
        #expect(inserted == ["milk insert - 0.0", "rent insert - 0.1"])
        #expect(titles == ["milk", "rent"])
    }
}
