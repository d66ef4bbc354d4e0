import CoreData

// Opens the store that the first argument names, adds a note and says how long that took.
let clock = ContinuousClock()
let start = clock.now
let container = NSPersistentContainer(name: "Notes")
container.persistentStoreDescriptions = [
    NSPersistentStoreDescription(url: URL(fileURLWithPath: CommandLine.arguments[1]))
]
container.loadPersistentStores { _, error in
    if let error { fatalError("\(error)") }
}
let opened = clock.now
let context = container.viewContext
let note = Note(context: context)
note.title = "A note"
note.created = Date()
try context.save()
let count = try context.count(for: Note.fetchRequest())
print("opened in \(opened - start), saved and counted \(count) in \(clock.now - opened)")
