import CoreData
import Foundation
import Testing

@Suite("Stores of several types under one coordinator")
@MainActor
struct MixedStoresTests {
    /// Notes in two configurations, labels in a third; a fetched property leads across.
    private static func model() -> NSManagedObjectModel {
        let model = ModelSketch(
            """
            Note
              name string
              size int32
            Label
              name string
            configuration Notes: Note
            configuration Labels: Label
            configuration Drafts: Note
            """
        ).model
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Label")
        request.predicate = NSPredicate(format: "name == $FETCH_SOURCE.name")
        request.entity = model.entitiesByName["Label"]
        let labels = NSFetchedPropertyDescription()
        (labels.name, labels.fetchRequest) = ("labels", request)
        model.entitiesByName["Note"]!.properties.append(labels)
        return model
    }

    private static func stack(in folder: ScratchFolder? = nil) throws -> TestStack {
        try TestStack(
            model(), configurations: [("Notes", .tested), ("Labels", .xml), ("Drafts", .binary)], in: folder)
    }

    private static func fill(_ stack: TestStack) throws {
        for (store, name, size) in [(0, "a", 1), (2, "b", 2), (0, "c", 3), (2, "d", 4)] {
            let note = stack.insert("Note", ["name": name, "size": size])
            stack.context.assign(note, to: stack.coordinator.persistentStores[store])
        }
        for name in ["a", "d"] { stack.insert("Label", ["name": name]) }
        try stack.context.save()
    }

    private func request(_ format: String? = nil) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = [NSSortDescriptor(key: "size", ascending: false)]
        return request
    }

    private func names(_ objects: [NSManagedObject]) -> [String] {
        objects.compactMap { $0.value(forKey: "name") as? String }
    }

    @Test("A save goes to each object's store, a fetch to all stores with its entity")
    func savesAndFetches() throws {
        let stack = try Self.stack()
        try Self.fill(stack)
        let again = try Self.stack(in: stack.folder)
        let all = try again.context.fetch(request())
        try #require(names(all) == ["d", "c", "b", "a"])
        let tested = NSPersistentStore.StoreType.tested.rawValue
        #expect(all.map { $0.objectID.persistentStore?.type } == ["Binary", tested, "Binary", tested])
        let window = request("size > 1")
        (window.fetchOffset, window.fetchLimit) = (1, 1)
        #expect(names(try again.context.fetch(window)) == ["c"])
        let one = request()
        one.affectedStores = [again.coordinator.persistentStores[2]]
        #expect(names(try again.context.fetch(one)) == ["d", "b"])
        all[0].setValue(9, forKey: "size")
        all[1].setValue(8, forKey: "size")
        again.context.delete(all[3])
        try again.context.save()
        #expect(names(try Self.stack(in: stack.folder).context.fetch(request("size > 7"))) == ["d", "c"])
    }

    @Test("A fetched property leads from one store to a store of another type")
    func fetchedProperty() throws {
        let stack = try Self.stack()
        try Self.fill(stack)
        stack.context.reset()
        let found = try stack.context.fetch(request())
        let labels = found.map { ($0.value(forKey: "labels") as? [NSManagedObject])?.count }
        #expect(labels == [1, 0, 0, 1])
    }

    @Test("Aggregates cover all stores")
    func totals() throws {
        let stack = try Self.stack()
        try Self.fill(stack)
        let request = NSFetchRequest<NSDictionary>(entityName: "Note")
        request.resultType = .dictionaryResultType
        let total = NSExpressionDescription()
        (total.name, total.expressionResultType) = ("total", .integer64AttributeType)
        total.expression = NSExpression(format: "sum:(size)")
        request.propertiesToFetch = [total]
        #expect(try stack.context.fetch(request) == [["total": 10]])
        #expect(try stack.context.count(for: self.request("size > 2")) == 2)
    }

    @Test(
        "A request for an entity also asks stores that hold only a subentity",
        arguments: [NSPersistentStore.StoreType.tested, .xml, .inMemory])
    func dividedHierarchy(_ type: NSPersistentStore.StoreType) throws {
        let sketch = """
            Animal
              name string
            Dog: Animal
              tricks int16
            Cat: Animal
              lives int16
            configuration Main: Animal, Cat
            configuration Dogs: Dog
            """
        let stack = try TestStack(
            ModelSketch(sketch).model, configurations: [("Main", .tested), ("Dogs", type)])
        let context = stack.context
        stack.insert("Animal", ["name": "a"])
        let rex = stack.insert("Dog", ["name": "b", "tricks": 3])
        stack.insert("Cat", ["name": "c", "lives": 9])
        try context.save()
        #expect(rex.objectID.persistentStore === stack.coordinator.persistentStores[1])
        context.reset()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        #expect(names(try context.fetch(request)) == ["c", "b", "a"])
        request.predicate = NSPredicate(format: "name > 'a'")
        #expect(try context.count(for: request) == 2)
        request.includesSubentities = false
        #expect(try context.count(for: request) == 0)
        if type == .tested {
            let deletion = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Animal"))
            deletion.resultType = .resultTypeCount
            #expect(try (context.execute(deletion) as? NSBatchDeleteResult)?.result as? Int == 3)
        }
    }

    @Test("A store that fails to load leaves the others loaded")
    func loadingErrors() throws {
        let folder = try ScratchFolder()
        try Self.fill(try Self.stack(in: folder))
        try Data("no store".utf8).write(to: folder.file("Labels"))
        let container = NSPersistentContainer(name: "Mixed", managedObjectModel: Self.model())
        container.persistentStoreDescriptions = try [
            (NSPersistentStore.StoreType.xml, "Labels"), (.tested, "Notes"), (.binary, "Drafts"),
        ].map { type, configuration in
            let description = try NSPersistentStoreDescription(url: folder.place(type, configuration))
            (description.type, description.configuration) = (type.rawValue, configuration)
            return description
        }
        var errors: [String: (any Error)?] = [:]
        container.loadPersistentStores { errors[$0.configuration ?? ""] = $1 }
        try #require(errors.count == 3)
        #expect(errors["Notes"]! == nil)
        #expect(errors["Drafts"]! == nil)
        #expect((errors["Labels"]! as NSError?)?.code == CocoaError.Code.fileReadCorruptFile.rawValue)
        #expect(names(try container.viewContext.fetch(request())) == ["d", "c", "b", "a"])
        #expect(try String(contentsOf: folder.file("Labels"), encoding: .utf8) == "no store")
    }

    @Test("A batch goes to the stores that support it, and an error names one that does not")
    func batches() throws {
        let stack = try Self.stack()
        try Self.fill(stack)
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.propertiesToUpdate = ["size": 0]
        let error = #expect(throws: NSError.self) { try stack.context.execute(update) }
        #expect(error?.localizedFailureReason?.contains("Binary") == true)
        update.affectedStores = [stack.coordinator.persistentStores[0]]
        try stack.context.execute(update)
        #expect(
            names(try Self.stack(in: stack.folder).context.fetch(request("size == 0"))).sorted() == [
                "a", "c",
            ])
    }

    @Test("Objects of two stores are different, even if their rows have one key")
    func otherStoresObjects() throws {
        let sketch = """
            Note
              name string
              folder -> Folder.notes
            Folder
              notes ->> Note.folder
            """
        let scratch = try ScratchFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ModelSketch(sketch).model)
        let context = coordinator.context(.mainQueue)
        var folders: [NSManagedObject] = []
        for name in ["a", "b"] {
            let store = try coordinator.addPersistentStore(
                type: .tested, at: scratch.place(.tested, name))
            let objects = [context.insert("Folder", [:]), context.insert("Note", ["name": name])]
            objects[1].setValue(objects[0], forKey: "folder")
            for object in objects { context.assign(object, to: store) }
            try context.save()
            folders.append(objects[0])
        }
        func found(_ format: String, _ argument: Any) throws -> [String] {
            names(try context.fetch("Note", format, [argument], sortedBy: "name"))
        }
        #expect(folders.map { $0.objectID.uriRepresentation().lastPathComponent } == ["p1", "p1"])
        #expect(try found("folder == %@", folders[1]) == ["b"])
        #expect(try found("folder != %@", folders[1]) == ["a"])
        #expect(try found("folder == %@", folders[0].objectID) == ["a"])
        #expect(try found("folder IN %@", folders) == ["a", "b"])
        #expect(try found("folder IN %@", [folders[1]]) == ["b"])
        #expect(try found("folder IN {%@}", folders[1]) == ["b"])
        let tied = "SUBQUERY(notes, $n, $n.folder == %@).@count > 0"
        #expect(try context.fetch("Folder", tied, [folders[1]], sortedBy: nil) == [folders[1]])
        // The object's values are the same for every store.
        let other = try #require(try context.fetch("Note", "name == 'b'", [], sortedBy: nil).first)
        other.setValue("a", forKey: "name")
        try context.save()
        let alike = NSPredicate(format: "name == $source.name").withSubstitutionVariables(["source": other])
        let likes = NSFetchRequest<NSManagedObject>(entityName: "Note")
        likes.predicate = alike
        #expect(try context.fetch(likes).count == 2)
        other.setValue("b", forKey: "name")
        try context.save()
        #expect(try context.fetch("Folder", "self == %@", [folders[1]], sortedBy: nil) == [folders[1]])
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
        request.predicate = NSPredicate(format: "folder == %@", folders[1])
        #expect(try context.count(for: request) == 1)
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.predicate = request.predicate
        update.propertiesToUpdate = ["name": "c"]
        try context.execute(update)
        context.refreshAllObjects()
        #expect(try found("name != %@", "") == ["a", "c"])
        try context.execute(NSBatchDeleteRequest(fetchRequest: request))
        #expect(try found("name != %@", "") == ["a"])
    }

    @Test("A moved store in one file is written with its next save")
    func setURL() throws {
        let stack = try Self.stack()
        try Self.fill(stack)
        let labels = stack.coordinator.persistentStores[1]
        let before = try Data(contentsOf: stack.folder.file("Labels"))
        #expect(stack.coordinator.setURL(stack.folder.file("Elsewhere"), for: labels))
        #expect(!FileManager.default.fileExists(atPath: stack.folder.file("Elsewhere").path))
        stack.insert("Label", ["name": "new"])
        try stack.context.save()
        #expect(try Data(contentsOf: stack.folder.file("Labels")) == before)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(
            ofType: NSXMLStoreType, configurationName: "Labels", at: stack.folder.file("Elsewhere"))
        let context = coordinator.context(.mainQueue)
        #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Label")) == 3)
    }
}
