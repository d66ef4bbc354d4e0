import CoreData

/// The comparison of an account with the notes of the process that wrote its entries.
struct Audit {
    let name: String
    let acknowledged: Int
    let stored: Int
    /// The differences, one line each.
    private(set) var faults: [String] = []

    init(_ ledger: Ledger, account name: String, notes: URL) throws {
        self.name = name
        let noted = try String(contentsOf: notes, encoding: .utf8).split(separator: "\n").compactMap {
            Int64($0)
        }
        let context = ledger.container.newBackgroundContext()
        let (numbers, count) = try context.performAndWait {
            let account = try Account.named(name, in: context)
            return (try account.numbers(), account.count)
        }
        (acknowledged, stored) = (noted.count, numbers.count)
        let lost = Set(noted).subtracting(numbers)
        if !lost.isEmpty {
            faults.append("\(lost.count) acknowledged entries are lost, the first \(lost.min()!)")
        }
        if numbers != numbers.indices.map({ Int64($0 + 1) }) {
            faults.append("the numbers of \(numbers.count) entries are not 1 to \(numbers.count)")
        }
        if count != Int64(numbers.count) {
            faults.append("the account counts \(count) of \(numbers.count) entries")
        }
    }
}
