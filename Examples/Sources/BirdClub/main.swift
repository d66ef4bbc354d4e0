import Birds
import SwiftData

// The program of a bird club's server, which works with the models of the app.
//
//   BirdClub import <checklists>   adds what members sent, a JSON file
//   BirdClub species               lists what was seen
//   BirdClub news <token>          tells what came and went since the last call; the file keeps the position
//
// The store is in the database that CORE_DATA_STORE_URL names (postgresql:///birds?schema=club), or else in a
// file among the user's data.

do {
    let url = ProcessInfo.processInfo.environment["CORE_DATA_STORE_URL"].flatMap(URL.init(string:))
    let club = Club(container: try birdsContainer(at: url))
    for line in try await club.answer(Array(CommandLine.arguments.dropFirst())) { print(line) }
} catch {
    FileHandle.standardError.write(Data("BirdClub: \(error)\n".utf8))
    exit(1)
}
