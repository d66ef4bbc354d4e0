import CoreDataSyncCore
import CoreDataSyncTransport
import Foundation

// The clients of Scripts/test-sync, and the check of what they have seen.
//
//   sync-worker client <name> <folder> <server> <seed>   writes and syncs until it is killed
//   sync-worker losses <server>                          prints the values of cells that lost
//   sync-worker check <folder>                           checks the histories of all clients

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("sync-worker: \(message)\n".utf8))
    exit(1)
}

/// Returns the values of cells that lost.
func losses(_ client: SyncHTTPClient) async throws -> [String] {
    var (place, texts): (LogPlace, [String]) = (LogPlace(), [])
    while true {
        let page = try await client.losses(behind: place, limit: 1000)
        for row in page.rows where row.lost.entity == "Cell" {
            if case .string(let text) = row.lost.value { texts.append(text) }
        }
        guard !page.isComplete else { return texts }
        place = page.next
    }
}

let words = Array(CommandLine.arguments.dropFirst())
do {
    switch (words.first, words.count) {
    case ("client"?, 5):
        guard let server = URL(string: words[3]), let seed = UInt64(words[4]) else {
            fail("an address and a number are expected")
        }
        var client = try Client(words[1], in: URL(fileURLWithPath: words[2]), server: server, seed: seed)
        try await client.run()
    case ("losses"?, 2):
        guard let server = URL(string: words[1]) else { fail("\(words[1]) is no address") }
        let client = SyncHTTPClient(server: server, zone: WorkStore.zone) { WorkStore.token }
        for text in try await losses(client) { print(text) }
    case ("check"?, 2):
        let check = HistoryCheck(try History(folder: URL(fileURLWithPath: words[1])))
        print(check.summary)
        for problem in check.problems.prefix(20) { print("    \(problem)") }
        if !check.problems.isEmpty { fail("\(check.problems.count) problems") }
    default: fail("usage: sync-worker client … | losses <server> | check <folder>")
    }
} catch {
    fail("\(error)")
}
