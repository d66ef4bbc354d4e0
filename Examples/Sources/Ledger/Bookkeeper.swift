import CoreData

/// Writes entries to one account, one a save, while servers come and go.
///
/// Each save adds an entry and raises the account's count: if either got lost, or were written twice, the two
/// would not agree.
final class Bookkeeper {
    private let context: NSManagedObjectContext
    private let name: String
    private let notes: FileHandle
    /// The number of saves that failed at first.
    private(set) var failures = 0
    /// The longest time between two entries that were acknowledged, in seconds.
    private(set) var longestGap = 0.0

    /// - Parameter notes: The file to which the number of each acknowledged entry is added.
    init(_ ledger: Ledger, account name: String, notes: URL) throws {
        context = ledger.container.newBackgroundContext()
        self.name = name
        try Data().write(to: notes)
        self.notes = try FileHandle(forWritingTo: notes)
    }

    /// Writes entries until a time.
    func write(until end: Date) {
        var number: Int64?
        var last = Date()
        while Date() < end {
            do {
                let next = try number ?? nextNumber()
                number = next
                try add(next)
                try notes.write(contentsOf: Data("\(next)\n".utf8))
                number = nil
                longestGap = max(longestGap, Date().timeIntervalSince(last))
                last = Date()
            } catch {
                failures += 1
                FileHandle.standardError.write(Data("\(name): \(reason(of: error))\n".utf8))
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
    }

    /// Returns the reason of an error, in one line.
    private func reason(of error: any Error) -> String {
        let error = error as NSError
        let reason = error.localizedFailureReason ?? error.localizedDescription
        return reason.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func nextNumber() throws -> Int64 {
        try context.performAndWait {
            context.reset()
            return try Account.named(name, in: context).count + 1
        }
    }

    /// Saves an entry, unless an earlier attempt did, whose answer was lost.
    private func add(_ number: Int64) throws {
        try context.performAndWait {
            context.reset()
            let account = try Account.named(name, in: context)
            guard account.count < number else { return }
            let entry = Entry(context: context)
            entry.number = number
            entry.account = account
            account.count = number
            try context.save()
        }
    }
}
