/// A store that reports commits of this process and of others.
package protocol WatchableBackend: StoreBackend {
    /// Has the handler called soon after each commit, on any thread, until the store closes. One call may
    /// stand for several commits. A second call of this function replaces the handler.
    func watch(_ handler: @escaping @Sendable () -> Void) throws(StoreError)
}
