import Dispatch
import Foundation

/// The queue that the blocks of a context or a coordinator run on. Waiting for a block from inside another one of
/// the same queue runs it at once.
final class BlockQueue: Sendable {
    private enum Kind {
        case main
        case own(DispatchQueue)
        case none
    }

    let type: NSManagedObjectContextConcurrencyType
    private let kind: Kind
    private let key = DispatchSpecificKey<Bool>()

    static let main = BlockQueue(.mainQueueConcurrencyType)

    private static let mainKey = DispatchSpecificKey<Bool>()
    private static let mainIsMarked: Void = DispatchQueue.main.setSpecific(key: mainKey, value: true)

    init(_ type: NSManagedObjectContextConcurrencyType) {
        self.type = type
        switch type {
        case .mainQueueConcurrencyType:
            kind = .main
            _ = Self.mainIsMarked
        case .privateQueueConcurrencyType:
            let queue = DispatchQueue(label: "NSManagedObjectContext")
            queue.setSpecific(key: key, value: true)
            kind = .own(queue)
        case .confinementConcurrencyType: kind = .none
        }
    }

    var isCurrent: Bool {
        switch kind {
        // A program that calls dispatchMain(), or is async, has its main queue run by another thread.
        case .main: Thread.isMainThread || DispatchQueue.getSpecific(key: Self.mainKey) ?? false
        case .own: DispatchQueue.getSpecific(key: key) ?? false
        case .none: true
        }
    }

    func async(_ work: @escaping () -> Void) {
        nonisolated(unsafe) let work = work
        switch kind {
        case .main: DispatchQueue.main.async { work() }
        case .own(let queue): queue.async { work() }
        case .none: programmerError("Can only use -performBlock: on a context that was created with a queue.")
        }
    }

    func sync(_ work: () -> Void) {
        if isCurrent { return work() }
        switch kind {
        case .main: DispatchQueue.main.sync(execute: work)
        case .own(let queue): queue.sync(execute: work)
        case .none: work()
        }
    }
}
