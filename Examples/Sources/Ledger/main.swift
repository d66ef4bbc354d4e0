import CoreData

// Several of these processes write to one database, also to one on several servers that fail over.
//
//   Ledger write <store> <account> <seconds> <notes>   writes entries; notes those that were acknowledged in a file
//   Ledger check <store> <account> <notes>             compares the entries in the store with the notes

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("Ledger: \(message)\n".utf8))
    exit(1)
}

let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 4, let url = URL(string: words[1]) else {
    fail("usage: Ledger write <store> <account> <seconds> <notes> | Ledger check <store> <account> <notes>")
}

do {
    let ledger = try Ledger(at: url)
    switch (words[0], words.count) {
    case ("write", 5):
        let keeper = try Bookkeeper(ledger, account: words[2], notes: URL(fileURLWithPath: words[4]))
        keeper.write(until: Date(timeIntervalSinceNow: Double(words[3]) ?? 0))
        print(
            "\(words[2]): \(keeper.failures) failures, longest gap \(String(format: "%.1f", keeper.longestGap)) s"
        )
    case ("check", 4):
        let audit = try Audit(ledger, account: words[2], notes: URL(fileURLWithPath: words[3]))
        print("\(audit.name): \(audit.acknowledged) acknowledged, \(audit.stored) stored")
        if !audit.faults.isEmpty { fail(audit.faults.joined(separator: "\n")) }
    default: fail("what is to be done?")
    }
} catch {
    fail("\(error)")
}
