import CoreData

// Usage: Atlas [folder of the iso-codes JSON files]
let source = URL(
    fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "/usr/share/iso-codes/json", isDirectory: true
)
let storeURL = FileManager.default.temporaryDirectory.appendingPathComponent("Atlas.sqlite")

func openContainer() throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Atlas")
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: storeURL)]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
}

func printCounts(_ context: NSManagedObjectContext) throws {
    for entity in ["Country", "Subdivision", "Language", "LanguageKind"] {
        let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
        print("  \(entity.padding(toLength: 14, withPad: " ", startingAt: 0)) \(count)")
    }
}

do {
    // A fresh import each time.
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: storeURL.path + suffix) }
    var container = try openContainer()

    var start = Date()
    try Importer(context: container.viewContext, folder: source).run()
    print("Imported in \(milliseconds(since: start))")
    start = Date()
    try container.viewContext.save()
    print("Saved in \(milliseconds(since: start)) to \(storeURL.path)")

    start = Date()
    container = try openContainer()
    let context = container.viewContext
    print("Reopened in \(milliseconds(since: start)):")
    try printCounts(context)

    try Questions(context: context).answerAll()

    print("\nRules at work")
    let request: NSFetchRequest<Country> = Country.fetchRequest()
    request.predicate = NSPredicate(format: "alpha2 == %@", "CH")
    guard let switzerland = try context.fetch(request).first else { throw CocoaError(.coreData) }
    switzerland.name = "Helvetia"
    print("  Renamed: \(switzerland.changedValues())")
    try context.save()
    let cantons = switzerland.subdivisions?.count ?? 0
    context.delete(switzerland)
    try context.save()
    print("  Deleted Helvetia; its \(cantons) cantons went with it (cascade)")

    let kinds = NSFetchRequest<LanguageKind>(entityName: "LanguageKind")
    kinds.predicate = NSPredicate(format: "languages.@count > 1000")
    if let kind = try context.fetch(kinds).first {
        context.delete(kind)
        do {
            try context.save()
        } catch let error as NSError {
            print(
                "  Deleting the kind \(kind.code ?? "") is denied: error \(error.code), \(error.localizedDescription)"
            )
            context.rollback()
        }
    }
    let twin = Country(context: context)
    (twin.alpha2, twin.alpha3, twin.name) = ("FR", "FRA", "France again")
    do {
        try context.save()
    } catch let error as NSError {
        print("  A second FR is refused: error \(error.code)")
        context.rollback()
    }
    print("\nAt the end:")
    try printCounts(context)
    let bytes = ["", "-wal"].map { suffix in
        let attributes = try? FileManager.default.attributesOfItem(atPath: storeURL.path + suffix)
        return attributes?[.size] as? Int ?? 0
    }
    print("The store, \(bytes.reduce(0, +) / 1024) KiB with its log: \(storeURL.path)")
} catch {
    print("Atlas failed: \(error)")
    exit(1)
}
