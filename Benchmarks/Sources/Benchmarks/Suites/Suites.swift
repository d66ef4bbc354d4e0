/// All suites, with the names that `--only` knows.
struct Suites {
    let bench: Workbench
    /// The database of the suites on PostgreSQL; nil leaves them out.
    let serverURL: String?

    struct Entry {
        let name: String
        let make: () throws -> [Suite]
    }

    var all: [Entry] {
        let (saves, batches, comparison) = (
            SaveSuites(bench: bench), BatchSuites(bench: bench), ComparisonSuites(bench: bench)
        )
        let upserts = UpsertSuites(bench: bench)
        let ofOne: [(name: String, make: () throws -> Suite)] =
            [
                ("fault", FaultSuite(bench).make), ("fetch", FetchSuite(bench: bench).make),
                ("property", PropertySuite(bench: bench).make), ("heap", MemorySuite(bench: bench).make),
                ("insert", saves.insert), ("update", saves.update), ("delete", saves.delete),
                ("batch update", batches.update), ("batch delete", batches.delete),
                ("batch memory", batches.memory), ("upsert batch", upserts.batch),
                ("upsert save", upserts.save),
                ("compare fetch", comparison.fetch), ("compare insert", comparison.insert),
            ] + DocumentSuites(bench: bench).all + RelationshipSuites(bench: bench).all
            + PredicateSuites(bench: bench).all + ConcurrencySuites(bench: bench).all
            + [
                ("transfers", TransferSuite(bench: bench).make),
                ("history", HistorySuite(bench: bench).make),
                ("migration", MigrationSuite(bench: bench).make),
            ] + (serverURL.map { ServerSuites(server: ServerBench(bench, $0)).all } ?? [])
        return ofOne.map { entry in Entry(name: entry.name) { [try entry.make()] } }
            + [Entry(name: "scale", make: ScaleSuites(bench: bench).make)]
    }
}
