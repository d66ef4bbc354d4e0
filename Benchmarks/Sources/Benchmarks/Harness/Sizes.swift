/// The amount of work in a run.
struct Sizes {
    let rows: Int
    let faults: Int
    let pauses: Int
    let inserts: Int
    let changes: Int
    let reads: Int
    /// Rows of the smaller of two batches; the larger one has ten times as many.
    let batch: Int
    let integerRows: Int
    let documents: Int
    /// Fetched results controllers that watch one save.
    let controllers: Int
    let books: Int
    let accounts: Int
    let transfers: Int
    /// Rows that are inserted or updated by a unique key.
    let upserts: [Int]
    /// Rows of the stores on which every operation is tried.
    let scale: [Int]

    /// Returns the sizes for a single operation, which makes only a store of so many rows.
    static func rows(_ rows: Int, books: Int = 0) -> Sizes {
        Sizes(
            rows: rows, faults: rows, pauses: 0, inserts: rows, changes: rows, reads: 0, batch: 0,
            integerRows: 0, documents: rows, controllers: 0, books: books, accounts: 0,
            transfers: 0, upserts: [], scale: [])
    }

    static let full = Sizes(
        rows: 100_000, faults: 20_000, pauses: 60, inserts: 50_000, changes: 10_000, reads: 2_000_000,
        batch: 100_000, integerRows: 200_000, documents: 10_000, controllers: 1000, books: 100_000,
        accounts: 1000, transfers: 8000, upserts: [10_000, 100_000, 1_000_000],
        scale: [1000, 10_000, 100_000, 1_000_000])
    static let quick = Sizes(
        rows: 20_000, faults: 5000, pauses: 15, inserts: 10_000, changes: 4000, reads: 400_000,
        batch: 20_000, integerRows: 20_000, documents: 2000, controllers: 100, books: 10_000,
        accounts: 1000, transfers: 1600, upserts: [1000, 10_000], scale: [1000, 10_000])
}
