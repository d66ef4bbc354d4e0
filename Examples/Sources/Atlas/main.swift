import CoreData

// Usage: Atlas [--one-by-one] [folder of the iso-codes JSON files]
// With --one-by-one it makes a mistake for a profile to find.
let arguments = CommandLine.arguments.dropFirst()
let readsOneByOne = arguments.first == "--one-by-one"
let folder = arguments.dropFirst(readsOneByOne ? 1 : 0).first.map {
    URL(fileURLWithPath: $0, isDirectory: true)
}
let storeURL = FileManager.default.temporaryDirectory.appendingPathComponent("Atlas.sqlite")

do {
    try Tour(
        folder: folder ?? Importer.defaultFolder, storeURL: storeURL, readsOneByOne: readsOneByOne
    ).run()
} catch {
    print("Atlas failed: \(error.localizedDescription)")
    exit(1)
}
