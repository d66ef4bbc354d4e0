import CoreData
import CoreDataSync

/// The notes of one device: a list in a store that is synced.
final class NoteBook: Sendable {
    let container: PersistentSyncContainer

    /// Opens the store of a device, and begins to sync it.
    init(at store: URL, server: URL, device: String, token: String) throws {
        let model = NSPersistentContainer(name: "Notes").managedObjectModel
        var options = SyncOptions(
            transport: try HTTPSyncTransport(
                server: server, zone: "Notes", model: model, deviceName: device, token: { token }))
        // A server that was killed is soon back, and asked soon again.
        options.longestRetryInterval = 1
        options.timeout = 5
        container = PersistentSyncContainer(name: "Notes", managedObjectModel: model, sync: options)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: store)]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
    }

    /// Changes the list in one save. If what other devices did to it came in meanwhile, the edit is done again on that.
    func edit(_ body: @escaping @Sendable (List) throws -> Void) async throws {
        while true {
            do {
                return try await container.performBackgroundTask { context in
                    try body(try List.only(in: context))
                    try context.save()
                }
            } catch CocoaError.managedObjectMerge {
                continue
            }
        }
    }

    /// Returns the notes in their order, a line each.
    func lines() async throws -> [String] {
        try await container.performBackgroundTask { context in
            try List.only(in: context).members.enumerated().map { "\($0 + 1). \($1.line)" }
        }
    }

    /// Returns the title of a note that is in the store.
    func title(_ uri: URL?) async -> String? {
        await container.performBackgroundTask { context in
            guard let uri, let coordinator = context.persistentStoreCoordinator,
                let id = coordinator.managedObjectID(forURIRepresentation: uri)
            else { return nil }
            return (try? context.existingObject(with: id) as? Note)?.title
        }
    }
}

/// A note that is not there.
struct NoSuchNote: Error, CustomStringConvertible {
    static let words = "there is no note"

    let title: String

    var description: String { "\(Self.words) “\(title)”" }
}

extension List {
    /// Returns the list, which is made if there is none. Two devices that make it make one: its name is its
    /// identity (`SyncIdentity`).
    static func only(in context: NSManagedObjectContext) throws -> List {
        if let list = try context.fetch(List.fetchRequest()).first { return list }
        let list = List(context: context)
        list.name = "Trip"
        return list
    }

    var members: [Note] { notes?.array as? [Note] ?? [] }

    func add(_ title: String) {
        guard let context = managedObjectContext else { return }
        let note = Note(context: context)
        note.title = title
        mutableOrderedSetValue(forKey: "notes").add(note)
    }

    /// Moves a note to a place, counted from one.
    func move(_ note: Note, to place: Int) {
        let members = mutableOrderedSetValue(forKey: "notes")
        members.remove(note)
        members.insert(note, at: max(0, min(place - 1, members.count)))
    }

    func note(_ title: String) throws -> Note {
        guard let note = members.first(where: { $0.title == title }) else { throw NoSuchNote(title: title) }
        return note
    }
}

extension Note {
    /// The note in one line; of its file, the size and a sum over all bytes.
    var line: String {
        var line = title ?? ""
        if let text { line += " = \(text)" }
        if let file {
            let sum = file.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) }
            line += " [a file of \(file.count) bytes, sum \(String(sum, radix: 16))]"
        }
        return line
    }
}
