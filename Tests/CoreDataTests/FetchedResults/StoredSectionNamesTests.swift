import CoreDataStore
import Foundation
import CoreDataSQL
import Synchronization
import Testing

@testable import CoreData

/// Sections by a stored attribute are made from rows, and equal those made by loading every object.
@Suite("Section names read from rows")
@MainActor
struct StoredSectionNamesTests {
    private let stack: TestStack

    init() throws {
        stack = try TaskStack.make()
        for number in 0..<60 {
            stack.task(
                "\(number)", "g\(number / 20)", rank: number % 7, entity: number % 3 == 0 ? "Chore" : "Task")
        }
        try stack.context.save()
    }

    private func controller(
        _ context: NSManagedObjectContext, by keyPath: String = "group", batch: Int = 20,
        _ change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
    ) -> TaskStack.Controller {
        let request = TaskStack.request()
        request.fetchBatchSize = batch
        change(request)
        return TaskStack.Controller(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: keyPath, cacheName: nil)
    }

    private func sections(_ controller: TaskStack.Controller) throws -> [String] {
        try controller.performFetch()
        return (controller.sections ?? []).map { "\($0.name) \($0.numberOfObjects)" }
    }

    private func filled(_ controller: TaskStack.Controller) -> Int {
        controller.fetchedObjects?.count { !$0.isFault } ?? -1
    }

    // MARK: Statements

    @Test(
        "A batched fetch reads all section names in one statement and fills no object",
        .ofSQLite("The text of statements"))
    func batches() throws {
        let fresh = try stack.reopened()
        let controller = controller(fresh.context)
        var names: [String] = []
        let selects = try fresh.selects { names = try sections(controller) }
        #expect(names == ["g0 20", "g1 20", "g2 20"])
        #expect(filled(controller) == 0)
        #expect(
            selects == [
                "SELECT t0.Z_PK, t0.Z_ENT FROM ZTASK t0 WHERE t0.ZISDONE = ? "
                    + "ORDER BY t0.ZGROUP, t0.ZRANK, t0.ZTITLE",
                "SELECT t0.ZGROUP, t0.Z_PK, t0.Z_ENT FROM ZTASK t0 WHERE t0.ZISDONE = ?",
            ])
    }

    @Test(
        "A fetch with limit and offset reads the names of its window in order",
        .ofSQLite("The text of statements"))
    func window() throws {
        let fresh = try stack.reopened()
        let controller = controller(fresh.context) { ($0.fetchLimit, $0.fetchOffset) = (25, 10) }
        var names: [String] = []
        let selects = try fresh.selects { names = try sections(controller) }
        #expect(names == ["g0 10", "g1 15"])
        #expect(filled(controller) == 0)
        #expect(
            selects.last == "SELECT t0.ZGROUP, t0.Z_PK, t0.Z_ENT FROM ZTASK t0 WHERE t0.ZISDONE = ? "
                + "ORDER BY 1, t0.ZRANK, t0.ZTITLE LIMIT ? OFFSET ?")
    }

    @Test("Full rows need no statement for section names")
    func rows() throws {
        let fresh = try stack.reopened()
        let controller = controller(fresh.context, batch: 0)
        var names: [String] = []
        let selects = try fresh.selects { names = try sections(controller) }
        #expect(names == ["g0 20", "g1 20", "g2 20"])
        #expect(filled(controller) == 0)
        #expect(selects.count == 1)
    }

    @Test("Section names are read for an entity with or without its subentities")
    func entities() throws {
        let fresh = try stack.reopened()
        let alone = controller(fresh.context) { $0.includesSubentities = false }
        #expect(try sections(alone) == ["g0 13", "g1 13", "g2 14"])
        #expect(filled(alone) == 0)
        let below = controller(fresh.context) {
            $0.entity = fresh.coordinator.managedObjectModel.entitiesByName["Chore"]
        }
        #expect(try sections(below) == ["g0 7", "g1 7", "g2 6"])
        #expect(filled(below) == 0)
    }

    // MARK: The context

    @Test("Unsaved objects compute their own names, and no other objects are filled", arguments: [0, 20])
    func pendingChanges(limit: Int) throws {
        let fresh = try stack.reopened()
        let objects = try fresh.fetch("Task", "title IN {'0', '20', '40'}")
        for object in objects {
            switch TaskStack.title(object) {
            case "0": object.setValue("g1", forKey: "group")
            case "20": fresh.context.delete(object)
            default: object.setValue(true, forKey: "isDone")
            }
        }
        fresh.task("new", "f", rank: 0)
        let controller = controller(fresh.context) { $0.fetchLimit = limit }
        // Placing changed objects loads some of their neighbours.
        let results = try fresh.context.fetch(controller.fetchRequest)
        let filledBefore = results.count { !$0.isFault }
        let names = try sections(controller)
        #expect(names == (limit == 0 ? ["f 1", "g0 19", "g1 20", "g2 19"] : ["f 1", "g0 19"]))
        #expect(filled(controller) == filledBefore)
        #expect(filledBefore < results.count)
    }

    @Test("Without pending changes in the request, changed objects compute their own names")
    func changesAside() throws {
        let fresh = try stack.reopened()
        let first = try #require(try fresh.fetch("Task", "title == '0'").first)
        first.setValue("a", forKey: "group")
        let controller = controller(fresh.context) { $0.includesPendingChanges = false }
        #expect(try sections(controller) == ["a 1", "g0 19", "g1 20", "g2 20"])
        #expect(filled(controller) == 1)
    }

    @Test("A fault's section name comes from the row that would fill it")
    func cachedRows() throws {
        let fresh = try stack.reopened()
        let kept = try fresh.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Task"))
        let other = try stack.reopened()
        for task in try other.fetch("Task", "group == 'g2'") { task.setValue("g3", forKey: "group") }
        try other.context.save()
        let controller = controller(fresh.context)
        #expect(try sections(controller) == ["g0 20", "g1 20", "g2 20"])
        #expect(kept.allSatisfy { $0.isFault })
        fresh.context.stalenessInterval = 0
        #expect(try sections(controller) == ["g0 20", "g1 20", "g3 20"])
        #expect(kept.allSatisfy { $0.isFault })
        #expect(kept.filter { $0.value(forKey: "group") as? String == "g3" }.count == 20)
    }

    @Test("Section names read out of order, because of a save meanwhile, are read again")
    func overtaken() throws {
        let fresh = try stack.reopened()
        let other = try stack.reopened()
        let task = try #require(try other.fetch("Task", "title == '1'").first)
        nonisolated(unsafe) let move = { (group: String) in
            task.setValue(group, forKey: "group")
            try? other.context.save()
        }
        let controller = controller(fresh.context)
        let reads = Mutex(0)
        let path = ScratchFolder.logged(fresh.storeURL)
        let listener = SQLLog.listen(.statements) { entry in
            guard entry.path.hasSuffix(path), entry.sql.hasPrefix("SELECT t0.") else { return }
            // After the fetch the object is in another section, and after the names were read it is back.
            switch reads.withLock({
                $0 += 1; return $0
            }) {
            case 1: move("g9")
            case 2: move("g0")
            default: break
            }
        }
        defer { listener.stop() }
        #expect(try sections(controller) == ["g0 20", "g1 20", "g2 20"])
        #expect(reads.withLock { $0 } > 2)
    }

    @Test("A nested context has the section names of its parent's objects, saved or unsaved")
    func nested() throws {
        let fresh = try stack.reopened()
        for task in try fresh.fetch("Task", "group == 'g2'") { task.setValue("g3", forKey: "group") }
        fresh.task("new", "f", rank: 0)
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = fresh.context
        for batch in [0, 20] {
            let controller = controller(child, batch: batch)
            #expect(try sections(controller) == ["f 1", "g0 20", "g1 20", "g3 20"], "\(batch)")
            let committed = self.controller(child, batch: batch) { $0.includesPendingChanges = false }
            committed.fetchRequest.predicate = NSPredicate(format: "group == 'g1'")
            #expect(try sections(committed) == ["g1 20"], "\(batch)")
        }
    }

    @Test("Several stores each provide their own section names")
    func stores() throws {
        let fresh = try stack.reopened()
        let second = try fresh.coordinator.addPersistentStore(
            type: .tested, at: fresh.folder.place(.tested, "b"))
        let task = fresh.task("x", "g1", rank: 0)
        fresh.context.assign(task, to: second)
        try fresh.context.save()
        fresh.context.reset()
        let controller = controller(fresh.context)
        #expect(try sections(controller) == ["g0 20", "g1 21", "g2 20"])
    }

    // MARK: Values

    private static let types: [NSAttributeType] = [
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
        .doubleAttributeType, .floatAttributeType, .decimalAttributeType, .dateAttributeType,
        .stringAttributeType, .URIAttributeType, .UUIDAttributeType,
    ]

    private static func value(_ type: NSAttributeType, _ number: Int) -> Any {
        switch type {
        case .booleanAttributeType: number % 2 == 0
        case .doubleAttributeType, .floatAttributeType: Double(number) / 10
        case .decimalAttributeType: Decimal(string: "\(number).\(number)1")!
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: Double(number) * 1000.25)
        case .stringAttributeType: "text \(number), which is longer than an inline one"
        case .URIAttributeType: URL(string: "https://example.org/\(number)")!
        case .UUIDAttributeType:
            UUID(uuid: (UInt8(number), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
        default: number - 2
        }
    }

    @Test(
        "Section names of every attribute type equal those computed by objects",
        arguments: [NSPersistentStore.StoreType.tested, .inMemory])
    func types(store: NSPersistentStore.StoreType) throws {
        let item = ModelFixtures.entity(
            "Item", Self.types.map { ModelFixtures.attribute("a\($0.rawValue)", $0) })
        let model = NSManagedObjectModel()
        model.entities = [item]
        let stack = try TestStack(model, type: store)
        for number in 0..<6 {
            for _ in 0..<2 {
                let values = Self.types.map { ("a\($0.rawValue)", Self.value($0, number)) }
                stack.insert("Item", number == 0 ? [:] : Dictionary(uniqueKeysWithValues: values))
            }
        }
        try stack.context.save()
        for type in Self.types {
            for batch in [0, 3] {
                let context = stack.sibling()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
                let key = "a\(type.rawValue)"
                request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
                request.fetchBatchSize = batch
                let controller = TaskStack.Controller(
                    fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: key,
                    cacheName: nil)
                try controller.performFetch()
                #expect(filled(controller) == 0, "\(key) \(batch)")
                let named = (controller.sections ?? []).flatMap { section in
                    (section.objects ?? []).map { _ in section.name }
                }
                let read = (controller.fetchedObjects ?? []).map { object in
                    switch object.value(forKey: key) {
                    case let number as NSNumber: number.stringValue
                    case let value: value.map { "\($0)" } ?? ""
                    }
                }
                #expect(named == read)
                #expect(Set(named).count == (type == .booleanAttributeType ? 3 : 6))
            }
        }
    }

    // MARK: Classes

    private class Keyed: NSManagedObject {
        override func value(forKey key: String) -> Any? {
            key == "group" ? "own" : super.value(forKey: key)
        }
    }

    private final class BelowKeyed: Keyed {}

    private final class Pathed: NSManagedObject {
        override func value(forKeyPath keyPath: String) -> Any? {
            keyPath == "group" ? "own" : super.value(forKeyPath: keyPath)
        }
    }

    /// A class whose registration for `@objc` members, usually written by the plugin, is written by hand.
    private final class Exposed: NSManagedObject {
        static func register() {
            ExposedMethods.register("group", of: Exposed.self) { _, _ in "own" }
        }
    }

    private final class Another: NSManagedObject {
        var stored = 1
        override func awakeFromFetch() { stored = 2 }
        override func willAccessValue(forKey key: String?) { stored += 1 }
        override func value(forUndefinedKey key: String) -> Any? { nil }
        static func register() {
            ExposedMethods.register("label", of: Another.self) { _, _ in "own" }
        }
    }

    @Test("Classes that override the section property compute the names, other classes do not")
    func classes() throws {
        Exposed.register()
        Another.register()
        let types: [NSManagedObject.Type] = [
            Keyed.self, BelowKeyed.self, Pathed.self, Exposed.self, Another.self,
        ]
        for type in types {
            let model = ModelSketch("\(TaskStack.sketch)\nChore: Task").model(classes: ["Chore": type])
            let stack = try TestStack(model)
            for number in 0..<4 { stack.task("\(number)", "g", rank: 0, entity: "Chore") }
            try stack.context.save()
            let controller = controller(try TestStack(model, in: stack.folder).context, batch: 2)
            let isAsked = type != Another.self
            #expect(try sections(controller) == [isAsked ? "own 4" : "g 4"], "\(type)")
            #expect(filled(controller) == 0 || isAsked, "\(type)")
        }
    }

    @Test("Section names through relationships, transient attributes and closures read objects")
    func otherNames() throws {
        let stack = try TestStack(
            """
            \(TaskStack.sketch)
              scratch string = "s" transient
              folder -> Folder.tasks
            Folder
              name string
              tasks ->> Task.folder
            """)
        for name in ["a", "b"] {
            let folder = stack.insert("Folder", ["name": name])
            for number in 0..<3 { stack.task("\(number)", name, rank: 0).setValue(folder, forKey: "folder") }
        }
        try stack.context.save()
        let byFolder = controller(try stack.reopened().context, by: "folder.name") {
            $0.sortDescriptors = [NSSortDescriptor(key: "folder.name", ascending: true)]
        }
        #expect(try sections(byFolder) == ["a 3", "b 3"])
        #expect(try sections(controller(stack.reopened().context, by: "scratch")) == ["s 6"])
        let tested = controller(try stack.reopened().context) { $0.predicate = NSPredicate { _, _ in true } }
        #expect(try sections(tested) == ["a 3", "b 3"])
    }
}
