import Dispatch
public import Foundation

// Key-value observation of a progress, which Foundation lacks on Linux: polls the value each tenth of a
// millisecond.
extension Progress {
    public struct ObservedChange<Value> {
        public let oldValue: Value?
        public let newValue: Value?
    }

    public struct ObservingOptions: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let new = ObservingOptions(rawValue: 1)
        public static let old = ObservingOptions(rawValue: 2)
    }

    /// Observes until it is released or invalidated. Sendable, since a timer may be cancelled on any thread.
    public final class Observation: @unchecked Sendable {
        private let timer: any DispatchSourceTimer

        fileprivate init(look: @escaping () -> Void) {
            timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "Progress.Observation"))
            timer.schedule(deadline: .now(), repeating: .microseconds(100), leeway: .nanoseconds(0))
            timer.setEventHandler(handler: look)
            timer.resume()
        }

        deinit { timer.cancel() }

        public func invalidate() { timer.cancel() }
    }

    public func observe<Value: Equatable>(
        _ keyPath: KeyPath<Progress, Value>, options: ObservingOptions = [],
        changeHandler: @escaping (Progress, ObservedChange<Value>) -> Void
    ) -> Observation {
        var last = self[keyPath: keyPath]
        return Observation { [weak self] in
            guard let self else { return }
            let value = self[keyPath: keyPath]
            guard value != last else { return }
            let change = ObservedChange(oldValue: last, newValue: value)
            last = value
            changeHandler(self, change)
        }
    }
}
