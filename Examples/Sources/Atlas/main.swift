import CoreData

// Usage: Atlas [folder of the iso-codes JSON files]
let folder = CommandLine.arguments.dropFirst().first.map { URL(fileURLWithPath: $0, isDirectory: true) }
let storeURL = FileManager.default.temporaryDirectory.appendingPathComponent("Atlas.sqlite")

do {
    try Tour(folder: folder ?? Importer.defaultFolder, storeURL: storeURL).run()
} catch {
    print("Atlas failed: \(error.localizedDescription)")
    exit(1)
}
