import CoreDataSyncCore
import CoreDataSyncServer
import Foundation

// Measures the sync server without its network, and a device that syncs with it.
//
//   sync-bench push <folder> <database> <zones> <devices> <seconds>   changes a second that are durable
//   sync-bench snapshot <folder> <database> <objects>                 objects a second, as bytes of an answer
//   sync-bench download <folder> <database> <objects>                 rows of a table: what is done, objects a second by
//   sync-bench upload <folder> <database> <objects>                   the clock and of processor time, MiB at most
//
// The database is the URL of one in PostgreSQL, or - for SQLite in the folder.

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("sync-bench: \(message)\n".utf8))
    exit(1)
}

let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 4, let count = Int(words[3]) else {
    fail("usage: sync-bench push <folder> <database> <zones> <devices> <seconds> | snapshot … <objects>")
}
let place = DataPlace(folder: DataFolder(words[1]), database: words[2] == "-" ? nil : words[2])

do {
    try place.folder.make()
    let bench = try await ServerBench(place)
    switch (words[0], words.count) {
    case ("push", 6):
        guard let devices = Int(words[4]), let seconds = Double(words[5]) else {
            fail("numbers are expected")
        }
        let rate = try await bench.pushes(zones: count, devices: devices, seconds: seconds)
        print(Int(rate.rounded()))
    case ("snapshot", 4): print(Int(try await bench.snapshot(of: count).rounded()))
    case ("download", 4), ("upload", 4):
        let device = ClientBench(bench: bench, folder: words[1])
        let results = try await words[0] == "upload" ? device.upload(count) : device.download(count)
        for result in results {
            let rates = "\(Int(result.rate)) | \(Int(result.processorRate))"
            print("| \(count) \(result.name) | \(rates) | \(result.peak) |")
        }
    default: fail("what is to be measured?")
    }
    bench.close()
} catch {
    fail("\(error)")
}
