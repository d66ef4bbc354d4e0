import CoreDataValues

/// A follower of a context that turns its events into the elements of a stream.
final class EventStream<Element: Sendable>: ContextChangeFollower {
    enum Step {
        case nothing
        case next(Element)
        case last(Element)
    }

    private let continuation: AsyncStream<Element>.Continuation
    private let step: (ContextEvent) -> Step

    private init(_ continuation: AsyncStream<Element>.Continuation, _ step: @escaping (ContextEvent) -> Step)
    {
        self.continuation = continuation
        self.step = step
    }

    /// Returns a stream of the results of `step` for each event.
    ///
    /// The step lives as long as the stream is read.
    static func stream(
        in context: NSManagedObjectContext, _ step: @escaping (ContextEvent) -> Step
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        nonisolated(unsafe) let follower = EventStream(continuation, step)
        context.changeFeed.add(follower)
        continuation.onTermination = { _ in withExtendedLifetime(follower) {} }
        return stream
    }

    func follow(_ event: ContextEvent) {
        switch step(event) {
        case .nothing: break
        case .next(let element): continuation.yield(element)
        case .last(let element):
            continuation.yield(element)
            continuation.finish()
        }
    }

    func contextEnds() { continuation.finish() }
}
