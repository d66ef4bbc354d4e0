/// A store that can tell when somebody writes to it: this process, by whatever way, or another one.
package protocol WatchableBackend: StoreBackend {
    /// Has the handler called, on some thread, soon after a commit, until the store closes. A call may stand for
    /// several commits. Asking again replaces the handler.
    func watch(_ handler: @escaping @Sendable () -> Void) throws(StoreError)
}
