/// A sink with scopes, such as the spans of a trace, in which the work of events runs.
package protocol ScopingSink: Profiling.Sink {
    /// Runs the work of an event in a scope of its own, and returns the event that comes of it.
    func run(_ kind: ProfileEvent.Kind, _ work: () -> ProfileEvent) -> ProfileEvent
    /// Returns a function that runs work in the scope of the calling code, on any thread; nil if that is in none.
    func scope() -> (@Sendable (_ work: () -> Void) -> Void)?
}

/// The scopes that code runs in, for other code that runs on its behalf.
struct ProfileScope: Sendable {
    private let scopes: [@Sendable (() -> Void) -> Void]

    /// The scopes of the calling code.
    @inline(__always)
    static var current: ProfileScope {
        ProfileScope(scopes: Profiling.isOn ? presentScopes() : [])
    }

    @inline(never)
    private static func presentScopes() -> [@Sendable (() -> Void) -> Void] {
        Profiling.listeners.compactMap { ($0 as? any ScopingSink)?.scope() }
    }

    /// Returns a closure that runs `work` in the scopes of the calling code, on whatever thread it is called.
    static func keeping(_ work: @escaping () -> Void) -> () -> Void {
        let scope = current
        return scope.scopes.isEmpty ? work : { scope.run(work) }
    }

    func run(_ work: () -> Void) { Self.run(work, in: scopes[...]) }

    private static func run(_ work: () -> Void, in scopes: ArraySlice<@Sendable (() -> Void) -> Void>) {
        guard let scope = scopes.first else { return work() }
        scope { run(work, in: scopes.dropFirst()) }
    }

    // MARK: Events

    /// Runs the work of an event in scopes of those sinks that have some.
    static func run(
        _ kind: ProfileEvent.Kind, in sinks: [any Profiling.Sink], _ work: () -> ProfileEvent
    ) -> ProfileEvent {
        run(kind, in: sinks.compactMap { $0 as? any ScopingSink }[...], work)
    }

    private static func run(
        _ kind: ProfileEvent.Kind, in sinks: ArraySlice<any ScopingSink>, _ work: () -> ProfileEvent
    ) -> ProfileEvent {
        guard let sink = sinks.first else { return work() }
        return sink.run(kind) { run(kind, in: sinks.dropFirst(), work) }
    }
}
