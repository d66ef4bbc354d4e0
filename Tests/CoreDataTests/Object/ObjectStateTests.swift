import CoreData
import Foundation
import Testing

@Suite("States of objects after each operation")
@MainActor
struct ObjectStateTests {
    @Test("changedValues has the new values, committedValues the stored ones, NSNull for nil")
    func changedValues() throws {
        let (stack, _) = try TestStack.witnesses()
        let root = stack.insert("Node", ["name": "root"])
        let node = stack.insert("Node", ["name": "a", "parent": root])
        try stack.context.save()
        node.setValue(nil, forKey: "name")
        node.setValue(nil, forKey: "parent")
        node.setValue("only here", forKey: "note")
        #expect(Set(node.changedValues().keys) == ["name", "parent"])
        #expect(node.changedValues()["name"] is NSNull)
        #expect(node.changedValues()["parent"] is NSNull)
        let committed = node.committedValues(forKeys: ["name", "parent", "number"])
        #expect(committed["name"] as? String == "a")
        #expect(committed["number"] as? Int == 0)
        #expect(committed["parent"] as? NSManagedObject === root)
        #expect(Set(root.changedValues().keys) == ["children"])
        #expect(root.committedValues(forKeys: ["children"])["children"] as? NSSet == [node])
        #expect(root.changedValues()["children"] as? NSSet == [])
        #expect(stack.insert("Node").committedValues(forKeys: ["name"]).isEmpty)
    }

    @Test("An object equals itself, whatever its static type, and nothing else")
    func equality() throws {
        let (stack, _) = try TestStack.witnesses()
        let (node, other) = (stack.insert("Node"), stack.insert("Node"))
        #expect(node.isEqual(node))
        #expect(node.isEqual(node as NSObject))
        #expect(node.isEqual(node as AnyObject))
        #expect(!node.isEqual(other))
        #expect(!node.isEqual(other.objectID))
        #expect(!node.isEqual(nil))
        #expect(!node.isEqual(UInt(bitPattern: Unmanaged.passUnretained(node).toOpaque())))
        #expect(Set<NSObject>([node, other]).contains(node))
    }

    @Test("A transient change marks an object as changed, but writes nothing")
    func transientChange() throws {
        let (stack, _) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        try stack.context.save()
        node.setValue("x", forKey: "note")
        #expect(node.hasChanges)
        #expect(!node.hasPersistentChangedValues)
        #expect(node.changedValues().isEmpty)
        try stack.context.save()
        #expect(!node.hasChanges)
        #expect(node.value(forKey: "note") as? String == "x")
    }

    @Test("A deleted object is marked as deleted, and after the save is an empty fault in no context")
    func deleted() throws {
        let (stack, _) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a", "number": 4])
        try stack.context.save()
        let id = node.objectID
        stack.context.delete(node)
        #expect(node.isDeleted)
        #expect(node.hasChanges)
        #expect(node.managedObjectContext != nil)
        #expect(node.value(forKey: "name") as? String == "a")
        #expect(try stack.context.existingObject(with: id) === node)
        try stack.context.save()
        #expect(!node.isDeleted)
        #expect(!node.hasChanges)
        #expect(node.managedObjectContext == nil)
        #expect(node.isFault)
        #expect(node.objectID == id)
        #expect(node.value(forKey: "name") == nil)
        #expect(node.value(forKey: "parent") == nil)
        #expect((node.value(forKey: "children") as? NSSet)?.count == 0)
        #expect(stack.context.registeredObject(for: id) == nil)
        #expect(throws: NSError.self) { try stack.context.existingObject(with: id) }
    }

    @Test("An object inserted and deleted again leaves no trace")
    func insertedAndDeleted() throws {
        let (stack, log) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        stack.context.delete(node)
        #expect(stack.context.insertedObjects.isEmpty)
        stack.context.processPendingChanges()
        #expect(!stack.context.hasChanges)
        #expect(node.managedObjectContext == nil)
        #expect(!node.isInserted)
        _ = log.take()
        try stack.context.save()
        #expect(log.take().isEmpty)
        #expect(try stack.fetch("Node").isEmpty)
    }

    @Test("Inserting a deleted object again cancels the deletion")
    func undeleted() throws {
        let (stack, _) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        try stack.context.save()
        stack.context.delete(node)
        stack.context.insert(node)
        #expect(!node.isDeleted)
        #expect(stack.context.deletedObjects.isEmpty)
        try stack.context.save()
        #expect(try stack.reopened().fetch("Node").count == 1)
    }

    @Test("Objects of a reset or freed context are empty faults")
    func orphans() throws {
        let (stack, _) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        try stack.context.save()
        stack.context.reset()
        #expect(node.managedObjectContext == nil)
        #expect(node.isFault)
        #expect(node.value(forKey: "name") == nil)
        let id = node.objectID
        var other: NSManagedObjectContext? = stack.sibling()
        let twin = try #require(other?.object(with: id))
        other = nil
        #expect(twin.managedObjectContext == nil)
        #expect(twin.value(forKey: "name") == nil)
    }

    @Test("Rollback forgets inserted objects even when they have permanent IDs")
    func rollbackOfPermanent() throws {
        let (stack, _) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        try stack.context.obtainPermanentIDs(for: [node])
        let id = node.objectID
        stack.context.rollback()
        #expect(node.managedObjectContext == nil)
        #expect(!node.isInserted)
        #expect(!stack.context.hasChanges)
        #expect(stack.context.registeredObject(for: id) == nil)
        #expect(throws: NSError.self) { try stack.context.existingObject(with: id) }
        #expect(try stack.fetch("Node").isEmpty)
    }

    @Test("Obtaining permanent IDs keeps relationships between unsaved objects")
    func permanentIDs() throws {
        let (stack, _) = try TestStack.witnesses()
        let root = stack.insert("Node", ["name": "root"])
        let leaf = stack.insert("Node", ["name": "leaf", "parent": root])
        let temporary = root.objectID
        try stack.context.obtainPermanentIDs(for: [root])
        #expect(root.objectID != temporary)
        #expect(!root.objectID.isTemporaryID)
        #expect(root.isInserted)
        #expect(leaf.value(forKey: "parent") as? NSManagedObject === root)
        #expect(try stack.fetch("Node", "parent == %@", root) == [leaf])
        let id = root.objectID
        try stack.context.save()
        #expect(root.objectID == id)
        #expect(leaf.value(forKey: "parent") as? NSManagedObject === root)
        let other = try stack.reopened()
        #expect(try other.fetch("Node", "parent.name == 'root'").count == 1)
    }

    @Test("A merging refresh keeps changed values and members and reads the rest again")
    func refreshMerging() throws {
        let (stack, _) = try TestStack.witnesses()
        let root = stack.insert("Node", ["name": "root", "number": 1])
        let leaf = stack.insert("Node", ["name": "leaf"])
        let second = stack.insert("Node", ["name": "second"])
        try stack.context.save()
        let other = try stack.reopened()
        try other.fetch("Node", "name == 'root'")[0].setValue(2, forKey: "number")
        try other.context.save()
        root.mutableSetValue(forKey: "children").add(leaf)
        stack.context.refresh(root, mergeChanges: true)
        #expect(root.value(forKey: "children") as? NSSet == [leaf])
        #expect(root.isUpdated)
        root.setValue("changed", forKey: "name")
        stack.context.refresh(root, mergeChanges: true)
        #expect(root.value(forKey: "name") as? String == "changed")
        #expect(root.value(forKey: "number") as? Int == 2)
        #expect(root.value(forKey: "children") as? NSSet == [leaf])
        stack.context.refresh(root, mergeChanges: false)
        #expect(!root.isUpdated)
        #expect(root.value(forKey: "name") as? String == "root")
        stack.context.refresh(second, mergeChanges: true)
        #expect(!second.isUpdated)
    }

    @Test("refreshAllObjects keeps unsaved changes and drops loaded values")
    func refreshAll() throws {
        let (stack, _) = try TestStack.witnesses()
        let (a, b) = (stack.insert("Node", ["name": "a"]), stack.insert("Node", ["name": "b"]))
        let c = stack.insert("Node", ["name": "c"])
        try stack.context.save()
        let other = try stack.reopened()
        try other.fetch("Node", "name == 'b'")[0].setValue("B", forKey: "name")
        try other.context.save()
        a.setValue("A", forKey: "name")
        stack.context.delete(c)
        let new = stack.insert("Node", ["name": "n"])
        stack.context.refreshAllObjects()
        #expect(a.isUpdated)
        #expect(a.value(forKey: "name") as? String == "A")
        #expect(b.isFault)
        #expect(b.value(forKey: "name") as? String == "B")
        #expect(c.isDeleted)
        #expect(new.isInserted)
        #expect(new.value(forKey: "name") as? String == "n")
    }

    @Test("existingObject returns a loaded object or throws, object(with:) returns a fault unchecked")
    func lookup() throws {
        let (stack, _) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        #expect(try stack.context.existingObject(with: node.objectID) === node)
        try stack.context.save()
        let id = node.objectID
        let other = try stack.reopened()
        let uri = id.uriRepresentation()
        let same = try #require(other.coordinator.managedObjectID(forURIRepresentation: uri))
        #expect(same.entity.name == "Node")
        #expect(same.uriRepresentation() == uri)
        #expect(other.context.registeredObject(for: same) == nil)
        let fault = other.context.object(with: same)
        #expect(fault.isFault)
        #expect(other.context.registeredObject(for: same) === fault)
        #expect(try other.context.existingObject(with: same) === fault)
        #expect(!fault.isFault)
        let text = uri.absoluteString.replacingOccurrences(of: "/p1", with: "/p99")
        let nowhere = try #require(URL(string: text))
        let none = try #require(other.coordinator.managedObjectID(forURIRepresentation: nowhere))
        #expect(other.context.object(with: none).isFault)
        let error = #expect(throws: NSError.self) { try other.context.existingObject(with: none) }
        #expect(error?.domain == NSCocoaErrorDomain)
        #expect(error?.code == NSManagedObjectReferentialIntegrityError)
        for bad in ["x-coredata://\(UUID())/Node/p1", "x-coredata://nothing", "https://example.com/Node/p1"] {
            let url = try #require(URL(string: bad))
            #expect(other.coordinator.managedObjectID(forURIRepresentation: url) == nil)
        }
        let missing = try #require(
            URL(string: uri.absoluteString.replacingOccurrences(of: "/Node/", with: "/Nothing/")))
        #expect(other.coordinator.managedObjectID(forURIRepresentation: missing) == nil)
    }

    @Test("A relationship is a fault until it is read, and its IDs are read without its members")
    func relationshipFaults() throws {
        let (stack, _) = try TestStack.witnesses()
        let root = stack.insert("Node", ["name": "root"])
        let leaf = stack.insert("Node", ["name": "leaf", "parent": root])
        try stack.context.save()
        let other = try stack.reopened()
        let read = try #require(try other.fetch("Node", "name == 'root'").first)
        #expect(read.hasFault(forRelationshipNamed: "children"))
        _ = read.value(forKey: "name")
        #expect(read.hasFault(forRelationshipNamed: "children"))
        let ids = read.objectIDs(forRelationshipNamed: "children")
        #expect(ids.map { $0.uriRepresentation() } == [leaf.objectID.uriRepresentation()])
        #expect(other.context.object(with: ids[0]).isFault)
        _ = read.value(forKey: "children")
        #expect(!read.hasFault(forRelationshipNamed: "children"))
        #expect(!stack.insert("Node").hasFault(forRelationshipNamed: "children"))
    }

    @Test("Prefetched values of a deleted row stay readable, and a refresh deletes the object")
    func inaccessible() throws {
        let (stack, _) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        try stack.context.save()
        let other = try stack.reopened()
        other.context.delete(try other.fetch("Node")[0])
        try other.context.save()
        #expect(node.value(forKey: "name") as? String == "a")
        stack.context.refresh(node, mergeChanges: false)
        #expect(node.value(forKey: "name") == nil)
        #expect(node.isDeleted)
        try stack.context.save()
        #expect(!stack.context.hasChanges)
        #expect(node.managedObjectContext == nil)
    }

    @Test("A deleted member of a relationship without inverse is not stored again")
    func deletedMember() throws {
        let stack = try CompanyStack()
        let ann = stack.insert("Employee", ["name": "Ann"])
        let projects = ["a", "b", "c"].map { stack.insert("Project", ["name": $0]) }
        ann.setValue(NSSet(array: [projects[0], projects[1]]), forKey: "favourites")
        try stack.context.save()
        stack.context.delete(projects[0])
        try stack.context.save()
        ann.mutableSetValue(forKey: "favourites").add(projects[2])
        try stack.context.save()
        let other = try stack.reopened()
        let read = try other.fetch("Employee")[0].value(forKey: "favourites") as? Set<NSManagedObject> ?? []
        let live = read.filter { (try? other.context.existingObject(with: $0.objectID)) != nil }
        #expect(Set(live.compactMap { $0.value(forKey: "name") as? String }) == ["b", "c"])
        let favourites = ann.value(forKey: "favourites") as? Set<NSManagedObject>
        #expect(favourites?.isSuperset(of: projects[1...2]) == true)
    }

    @Test("Values set before an object has a context stay when it is inserted")
    func insertedLater() throws {
        let (stack, _) = try TestStack.witnesses()
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Node", in: stack.context))
        let (root, leaf) = (
            NSManagedObject(entity: entity, insertInto: nil), NSManagedObject(entity: entity, insertInto: nil)
        )
        root.setValue("root", forKey: "name")
        leaf.setValue("leaf", forKey: "name")
        leaf.setValue(root, forKey: "parent")
        #expect(root.value(forKey: "children") as? NSSet == [leaf])
        stack.context.insert(root)
        stack.context.insert(leaf)
        try stack.context.save()
        #expect(try stack.stored("Node", "parent.name").compactMap { $0 as? String } == ["root"])
    }

    @Test("One cascade deletes a thousand generations")
    func deepCascade() throws {
        let (stack, _) = try TestStack.witnesses()
        let root = stack.insert("Node")
        var last = root
        for _ in 0..<1000 { last = stack.insert("Node", ["parent": last]) }
        try stack.context.save()
        stack.context.delete(root)
        try stack.context.save()
        #expect(try stack.stored("Node", "name").isEmpty)
    }

    @Test("Deleting an object deleted elsewhere is a conflict, which overwrite resolves")
    func deletedTwice() throws {
        let (stack, _) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        try stack.context.save()
        let other = try stack.reopened()
        other.context.delete(try other.fetch("Node")[0])
        try other.context.save()
        node.setValue("b", forKey: "name")
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        let conflict = (error?.userInfo["conflictList"] as? [NSMergeConflict])?.first
        #expect(conflict?.newVersionNumber == 0)
        #expect(conflict?.persistedSnapshot == nil)
    }

    @Test("Objects are tested for their own class, not for that of their entity")
    func classes() throws {
        let stack = try CompanyStack()
        let employee = Employee(context: stack.context)
        let objects = [employee, stack.insert("Company")]
        #expect(objects.prefix(1).areAll { $0 is Employee })
        #expect(!objects.areAll { $0 is Employee })
    }
}
