package import CoreDataStore

extension SQLBackend: GenerationBackend {
    package func requireGenerations() throws(StoreError) {
        do throws(SQLError) {
            try pool.requireGenerations()
        } catch {
            throw translate(error)
        }
    }

    package func pinned() throws(StoreError) -> any StoreBackend {
        do throws(SQLError) {
            return SQLBackend(
                schema: schema, layouts: layouts, dialect: dialect, keys: keys, pool: try pool.pinned(),
                history: history, path: path, unsettled: unsettled)
        } catch {
            throw translate(error)
        }
    }
}
