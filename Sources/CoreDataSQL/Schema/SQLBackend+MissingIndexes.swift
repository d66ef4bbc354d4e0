package import CoreDataStore

extension SQLBackend {
    /// Makes the indexes of the model that the store lacks, since hashes do not tell of them. Unique ones are
    /// left out: rows may break their rule, and migrations make them.
    ///
    /// A store that has them all is not locked.
    package func makeMissingIndexes() throws(StoreError) {
        let wanted = try schema.wantedIndexes(dialect).filter { $0.constraint == nil }
        try write { connection throws(SQLError) in
            guard try !missing(wanted, on: connection).isEmpty else { return }
            try connection.begin(.immediate)
            // Another program may have made some meanwhile.
            for index in try missing(wanted, on: connection) { _ = try connection.run(index.statement) }
            try connection.commit()
        }
    }

    private func missing(
        _ wanted: [IndexDefinition], on connection: any SQLConnection
    ) throws(SQLError) -> [IndexDefinition] {
        let present = Set(try dialect.definitions(on: connection).indexes.map(\.name))
        return wanted.filter { !present.contains($0.name) }
    }
}
