import CoreData
import Foundation
import RawLoops

/// The files and the data of the benchmarks. Each dataset is made when a suite first asks for it.
final class Workbench {
    let sizes: Sizes
    let folder: ScratchFolder
    private(set) lazy var samples = (0..<max(sizes.rows, sizes.inserts)).map(Sample.init)
    private(set) lazy var rawItems = RawItems(samples)
    private var datasets: [String: Dataset] = [:]

    init(_ sizes: Sizes) throws {
        self.sizes = sizes
        folder = try ScratchFolder()
    }

    /// Returns `sizes.rows` items.
    func items() throws -> Dataset {
        try dataset("items", Item.makeModel()) { context in
            for sample in samples.prefix(sizes.rows) { Item(context: context).fill(from: sample) }
        }
    }

    /// Returns items with a unique number: every second number from 0 to `numbers`.
    func uniqueItems(_ numbers: Int) throws -> Dataset {
        let model = Item.makeModel()
        model.entities[0].uniquenessConstraints = [["serial"]]
        return try dataset("unique items of \(numbers)", model) { context in
            try Item.insertBatch(0..<numbers / 2, in: context) { UpsertSuites.fill($0, 2 * $1) }
        }
    }

    /// Returns a dataset without items whose model has an index on values in random order.
    func indexedItems() throws -> Dataset {
        let model = Item.makeModel()
        model.entities[0].addIndex(on: "weight")
        return try dataset("indexed items", model) { _ in }
    }

    /// Returns `sizes.integerRows` rows of ten integers.
    func integers() throws -> Dataset {
        try dataset("integers", Integers.makeModel()) { context in
            for number in 0..<sizes.integerRows { Integers(context: context).fill(number) }
        }
    }

    /// Returns `sizes.documents` documents.
    func documents() throws -> Dataset {
        try dataset("documents", Document.makeModel()) { context in
            for number in 0..<sizes.documents { Document(context: context).fill(number) }
        }
    }

    /// Returns `sizes.books` books, with a hundredth as many authors and as many tags as authors.
    func library() throws -> Dataset {
        try dataset("library", Library.makeModel()) { context in
            Library(books: sizes.books).build(in: context)
        }
    }

    /// Returns `sizes.accounts` accounts.
    func bank() throws -> Dataset {
        try dataset("bank", Bank.makeModel()) { context in
            for number in 1...sizes.accounts {
                let account = Account(context: context)
                account.name = "account \(number)"
                account.balance = 1000
            }
        }
    }

    private func dataset(
        _ name: String, _ model: NSManagedObjectModel, _ fill: (NSManagedObjectContext) throws -> Void
    ) throws -> Dataset {
        if let dataset = datasets[name] { return dataset }
        let dataset = try Dataset(name, in: folder, model, fill)
        datasets[name] = dataset
        return dataset
    }

    /// Returns keys of items in random order, the same in every run.
    func randomKeys(_ count: Int) -> [Int64] {
        var random = RandomNumbers(seed: 42)
        return (0..<count).map { _ in Int64.random(in: 1...Int64(sizes.rows), using: &random) }
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
