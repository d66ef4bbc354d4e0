import CoreData
import Foundation
import Testing

/// A container as apps write them: its own folder, its own initializer.
final class NotesContainer: NSPersistentContainer, @unchecked Sendable {
    let isShared: Bool

    init(isShared: Bool, model: NSManagedObjectModel) {
        self.isShared = isShared
        super.init(name: "Notes", managedObjectModel: model)
    }

    override class func defaultDirectoryURL() -> URL {
        super.defaultDirectoryURL().appendingPathComponent("Notes")
    }
}

extension NSFetchRequest where ResultType == NSManagedObject {
    fileprivate func limited(to limit: Int) -> Self {
        fetchLimit = limit
        return self
    }
}

extension NSFetchRequestResult where Self: NSManagedObject {
    fileprivate static func request(_ name: String) -> NSFetchRequest<Self> {
        NSFetchRequest(entityName: name)
    }
}

@Suite("The source forms that apps use")
struct ContainerSourceTests {
    @Test("The default folder is a method and a property, and an override changes both")
    func defaultDirectory() {
        let plain = NSPersistentContainer.defaultDirectoryURL()
        #expect(NSPersistentContainer.defaultDirectoryURL == plain)
        #expect(NotesContainer.defaultDirectoryURL() == plain.appendingPathComponent("Notes"))
        #expect(NotesContainer.defaultDirectoryURL.lastPathComponent == "Notes")
        #expect(plain.lastPathComponent == ProcessInfo.processInfo.processName)
    }

    @Test("A model can be defined in code and enumerated")
    func modelInCode() throws {
        let id = NSAttributeDescription()
        id.name = "id"
        id.type = .uuid
        id.isOptional = false
        let tags = NSAttributeDescription()
        tags.name = "tags"
        tags.attributeType = .transformableAttributeType
        tags.attributeValueClassName = NSStringFromClass(NSArray.self)
        tags.valueTransformerName = "NSSecureUnarchiveFromData"
        tags.defaultValue = NSArray()
        let note = NSEntityDescription()
        note.name = "Note"
        note.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
        note.properties = [id]
        note.properties.append(tags)
        note.uniquenessConstraints = [[id]]
        note.indexes = [
            NSFetchIndexDescription(
                name: "byID", elements: [NSFetchIndexElementDescription(property: id, collationType: .binary)]
            )
        ]
        note.userInfo = ["owner": "app"]
        let model = NSManagedObjectModel()
        model.entities = [note]
        var names: [String] = []
        for entity in model {
            for property in entity { names.append("\(entity.name ?? "").\(property.name)") }
        }
        #expect(names == ["Note.id", "Note.tags"])
        let merged = NSManagedObjectModel(byMerging: [model])
        #expect(merged?.entitiesByName["Note"]?.attributesByName["id"]?.type == .uuid)
        #expect(merged?.entitiesByName["Note"]?.userInfo?["owner"] as? String == "app")
        #expect(merged?.entitiesByName["Note"]?.uniquenessConstraints.first?.first as? String == "id")
    }

    @Test("Requests can be written in every form")
    func requests() {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
        let typed = NSFetchRequest<NSManagedObject>(entityName: "Note").limited(to: 3)
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
        ids.resultType = .managedObjectIDResultType
        let numbers = NSFetchRequest<NSNumber>(entityName: "Note")
        numbers.resultType = [.countResultType]
        #expect(typed.fetchLimit == 3)
        #expect(NSManagedObject.request("Note").entityName == "Note")
        let delete = NSBatchDeleteRequest(fetchRequest: request)
        delete.resultType = .resultTypeObjectIDs
        let insert = NSBatchInsertRequest(entityName: "Note") { (object: NSManagedObject) -> Bool in
            _ = object
            return true
        }
        insert.resultType = .count
        let asynchronous = NSAsynchronousFetchRequest(fetchRequest: typed) { result in
            _ = result.finalResult?.count
        }
        asynchronous.estimatedResultCount = 10
        #expect(asynchronous.fetchRequest === typed)
    }

    @Test("Store descriptions are configured as on Apple's systems")
    func storeDescriptions() {
        let description = NSPersistentStoreDescription()
        description.url = URL(fileURLWithPath: "/dev/null")
        description.setOption(true as NSNumber, forKey: "NSPersistentHistoryTrackingKey")
        description.setOption(["journal_mode": "DELETE"] as NSDictionary, forKey: NSSQLitePragmasOption)
        #expect(description.options["NSPersistentHistoryTrackingKey"] as? Bool == true)
        #expect(description.sqlitePragmas["journal_mode"] as? String == "DELETE")
    }
}
