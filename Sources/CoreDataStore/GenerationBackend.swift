/// A store that can be read as it was at one moment, whatever is written meanwhile.
package protocol GenerationBackend: StoreBackend {
    /// Throws, with the reason, if the store cannot be pinned.
    func requireGenerations() throws(StoreError)
    /// The same store, with all that is committed now and nothing that is committed later. Writes through it go to
    /// the store as ever. The moment lasts as long as the backend that stands for it, and costs a connection, and a
    /// log that cannot be cut meanwhile.
    func pinned() throws(StoreError) -> any StoreBackend
}
