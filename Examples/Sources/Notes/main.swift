import CoreData

// Notes that two devices share through a server. Scripts/demo-sync builds the server, and starts this.
//
//   Notes app <store> <server> <device>        one device's app, which is told on its input what to do
//   Notes demonstrate <coredata-syncd> [seed]  a server and two apps, pulled apart, joined and killed

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("Notes: \(message)\n".utf8))
    exit(1)
}

let words = Array(CommandLine.arguments.dropFirst())
switch (words.first, words.count) {
case ("app"?, 4):
    guard let server = URL(string: words[2]) else { fail("\(words[2]) is no address") }
    do {
        let book = try NoteBook(
            at: URL(fileURLWithPath: words[1]), server: server, device: words[3], token: Server.token)
        await Console(book: book).run()
    } catch {
        fail("\(error)")
    }
case ("demonstrate"?, 2...3):
    // An app that is gone is no reason to end.
    signal(SIGPIPE, SIG_IGN)
    guard let seed = words.count == 3 ? UInt64(words[2]) : UInt64.random(in: 0..<1_000_000) else {
        fail("the seed is a number")
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("notes-\(UUID())")
    do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let demonstration = try Demonstration(server: words[1], in: folder)
        try demonstration.meetAfterEdits()
        try demonstration.survive(seed, rounds: 2)
        try FileManager.default.removeItem(at: folder)
    } catch {
        fail("\(error)\nThe stores and logs are in \(folder.path); the seed is \(seed).")
    }
default: fail("usage: Notes app <store> <server> <device> | Notes demonstrate <coredata-syncd> [seed]")
}
