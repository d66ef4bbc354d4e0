package import CoreDataStore

extension SQLBackend: WatchableBackend {
    package func watch(_ handler: @escaping @Sendable () -> Void) throws(StoreError) {
        do throws(SQLError) {
            try pool.watch(handler)
        } catch {
            throw translate(error)
        }
    }
}
