import Dispatch
import Foundation

/// The queue that the blocks of a context or a coordinator run on. Waiting for a block from inside another one of
/// the same queue runs it at once, however many waits for other queues lie between.
final class BlockQueue: Sendable {
    private enum Kind {
        case main
        case own(DispatchQueue)
        case none
    }

    let type: NSManagedObjectContextConcurrencyType
    private let kind: Kind

    static let main = BlockQueue(.mainQueueConcurrencyType)

    private static let mainKey = DispatchSpecificKey<Bool>()
    private static let mainIsMarked: Void = DispatchQueue.main.setSpecific(key: mainKey, value: true)

    init(_ type: NSManagedObjectContextConcurrencyType) {
        self.type = type
        switch type {
        case .mainQueueConcurrencyType:
            kind = .main
            _ = Self.mainIsMarked
        case .privateQueueConcurrencyType: kind = .own(DispatchQueue(label: "NSManagedObjectContext"))
        case .confinementConcurrencyType: kind = .none
        }
    }

    var isCurrent: Bool {
        switch kind {
        case .main: Self.isOnMain
        case .own: RunningBlock.holds(self)
        case .none: true
        }
    }

    /// Whether this thread is, or waits inside a block of another queue for code that is, on the main queue.
    static var isOnMain: Bool {
        // A program that calls dispatchMain(), or is async, has its main queue run by another thread.
        Thread.isMainThread || DispatchQueue.getSpecific(key: mainKey) ?? false || RunningBlock.isInsideMain
    }

    /// - Parameter context: Whose block it is, for a context's.
    func async(of context: NSManagedObjectContext? = nil, _ work: @escaping () -> Void) {
        nonisolated(unsafe) let work = work
        let run = { [self] in RunningBlock.run(work, on: self, of: context, inside: .none) }
        nonisolated(unsafe) let block = run
        switch kind {
        case .main: DispatchQueue.main.async { block() }
        case .own(let queue): queue.async { block() }
        case .none: programmerError("Can only use -performBlock: on a context that was created with a queue.")
        }
    }

    func sync(of context: NSManagedObjectContext? = nil, _ work: () -> Void) {
        let wait = RunningBlock.Wait.current
        func run() { RunningBlock.run(work, on: self, of: context, inside: wait) }
        if isCurrent { return run() }
        switch kind {
        case .main: DispatchQueue.main.sync(execute: run)
        case .own(let queue): queue.sync(execute: run)
        case .none: run()
        }
    }
}
