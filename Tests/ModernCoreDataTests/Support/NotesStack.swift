import CoreData
import Foundation

@testable import ModernCoreData

/// A container for notes over a store in a folder that is removed with it.
final class NotesStack {
    static let tagsTransformer = "ModernCoreDataTests.Tags"

    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let container: NSPersistentContainer
    var context: NSManagedObjectContext { container.viewContext }
    var storeURL: URL { folder.appendingPathComponent("Notes.sqlite") }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = Self.registersTransformer
        container = NSPersistentContainer(name: "Notes", managedObjectModel: Self.model())
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: folder.appendingPathComponent("Notes.sqlite"))
        ]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static let registersTransformer: Void = ClosureValueTransformer.registerTransformer(
        withName: tagsTransformer,
        transform: { (tags: [String]?) in tags.map { Data($0.joined(separator: " ").utf8) } },
        reverseTransform: { data in
            data.map { String(decoding: $0, as: UTF8.self).split(separator: " ").map(String.init) }
        })

    @discardableResult
    func insert(_ titles: String...) -> [Note] {
        titles.map { title in
            let note: Note = context.insertObject()
            note.title = title
            return note
        }
    }

    /// Returns the store's content as a context of its own reads it.
    func stored<Value>(_ read: (NSManagedObjectContext) throws -> Value) rethrows -> Value {
        let other = container.newBackgroundContext()
        return try other.performAndWait { try read(other) }
    }

    // MARK: Model

    static func model() -> NSManagedObjectModel {
        let note = entity(
            "Note", Note.self,
            [
                attribute("title", .stringAttributeType), attribute("created", .dateAttributeType),
                attribute("tags", .transformableAttributeType),
                attribute("remoteIdentifier", .stringAttributeType),
                attribute("markedForDeletionDate", .dateAttributeType),
                attribute("markedForRemoteDeletion", .booleanAttributeType),
            ])
        note.attributesByName["tags"]?.valueTransformerName = tagsTransformer
        note.attributesByName["markedForRemoteDeletion"]?.defaultValue = false
        let checklist = entity("Checklist", Checklist.self, [])
        note.subentities = [checklist]
        let book = entity("Book", Notebook.self, [attribute("name", .stringAttributeType, isOptional: false)])
        let (notes, notebook) = (NSRelationshipDescription(), NSRelationshipDescription())
        (notes.name, notes.destinationEntity, notes.inverseRelationship) = ("notes", note, notebook)
        (notebook.name, notebook.destinationEntity, notebook.inverseRelationship) = ("notebook", book, notes)
        notebook.maxCount = 1
        note.properties.append(notebook)
        book.properties.append(notes)
        let model = NSManagedObjectModel()
        model.entities = [note, checklist, book]
        return model
    }

    private static func entity(
        _ name: String, _ objectClass: NSManagedObject.Type, _ properties: [NSPropertyDescription]
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = NSStringFromClass(objectClass)
        entity.properties = properties
        return entity
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType, isOptional: Bool = true
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = isOptional
        return attribute
    }
}
