/// A store of which a snapshot can be read: its content at one moment, whatever is written afterwards.
package protocol GenerationBackend: StoreBackend {
    /// Throws an error with the reason if the store cannot be pinned.
    func requireGenerations() throws(StoreError)
    /// Returns a backend that reads this snapshot of the store; writes through it go to the store itself. The
    /// snapshot lasts as long as the backend, and costs a connection and a write-ahead log that cannot be
    /// truncated meanwhile.
    func pinned() throws(StoreError) -> any StoreBackend
}
