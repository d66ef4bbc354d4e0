import CoreData
import Foundation
import Testing

/// One relationship of sources (`targets`) and its inverse (`sources`), as a case of the matrix.
struct RelationshipShape: Sendable, CustomTestStringConvertible {
    let forward: ModelFixtures.Arity
    let back: ModelFixtures.Arity?
    let isReflexive: Bool

    static let all: [RelationshipShape] = [ModelFixtures.Arity.one, .many, .ordered].flatMap { forward in
        [ModelFixtures.Arity.one, .many, .ordered, nil].flatMap { back in
            [false, true].map { RelationshipShape(forward: forward, back: back, isReflexive: $0) }
        }
    }

    var testDescription: String {
        "\(forward) to \(back.map { "\($0)" } ?? "nothing")\(isReflexive ? ", reflexive" : "")"
    }

    func stack(_ rule: NSDeleteRule) throws -> TestStack {
        let source = ModelFixtures.entity("Source", [ModelFixtures.attribute("name", .stringAttributeType)])
        let target = ModelFixtures.entity("Target", [ModelFixtures.attribute("name", .stringAttributeType)])
        let destination = isReflexive ? source : target
        let relationship = ModelFixtures.relationship("targets", forward, to: destination, rule)
        if let back {
            ModelFixtures.link(
                source, relationship, ModelFixtures.relationship("sources", back, to: source))
        } else {
            source.properties.append(relationship)
        }
        let model = NSManagedObjectModel()
        model.entities = [source, target]
        return try TestStack(model)
    }

    var targetEntity: String { isReflexive ? "Source" : "Target" }
}

@Suite("All combinations of relationships and delete rules")
@MainActor
struct DeleteRuleMatrixTests {
    private func members(_ object: NSManagedObject, _ key: String) -> [NSManagedObject] {
        switch object.value(forKey: key) {
        case let set as NSSet: set.allObjects as? [NSManagedObject] ?? []
        case let set as NSOrderedSet: set.array as? [NSManagedObject] ?? []
        case let object as NSManagedObject: [object]
        default: []
        }
    }

    private func connect(_ shape: RelationshipShape, _ source: NSManagedObject, _ targets: [NSManagedObject])
    {
        switch shape.forward {
        case .one: source.setValue(targets[0], forKey: "targets")
        case .many: source.setValue(NSSet(array: targets), forKey: "targets")
        case .ordered: source.setValue(NSOrderedSet(array: targets), forKey: "targets")
        }
    }

    private func names(_ objects: [NSManagedObject]) -> [String] {
        objects.compactMap { $0.value(forKey: "name") as? String }
    }

    @Test("Both sides of a relationship agree, in memory and in the store", arguments: RelationshipShape.all)
    func bothSides(_ shape: RelationshipShape) throws {
        let stack = try shape.stack(.nullifyDeleteRule)
        let source = stack.insert("Source", ["name": "s"])
        let targets = ["b", "a", "c"].map { stack.insert(shape.targetEntity, ["name": $0]) }
        connect(shape, source, targets)
        let expected = shape.forward == .one ? [targets[0]] : targets
        #expect(Set(members(source, "targets")) == Set(expected))
        if shape.back != nil {
            for target in expected { #expect(members(target, "sources") == [source]) }
        }
        try stack.context.save()
        let other = try stack.reopened()
        let read = try #require(try other.fetch("Source", "name == 's'").first)
        let found = names(members(read, "targets"))
        if shape.forward == .ordered {
            #expect(found == names(expected))
        } else {
            #expect(found.sorted() == names(expected).sorted())
        }
        guard shape.back != nil else { return }
        for target in members(read, "targets") { #expect(members(target, "sources") == [read]) }
        let first = try #require(try other.fetch(shape.targetEntity, "name == 'b'").first)
        switch shape.back {
        case .one: first.setValue(nil, forKey: "sources")
        case .many: first.mutableSetValue(forKey: "sources").remove(read)
        default: first.mutableOrderedSetValue(forKey: "sources").remove(read)
        }
        #expect(names(members(read, "targets")).contains("b") == false)
        try other.context.save()
        let third = try stack.reopened()
        let again = try #require(try third.fetch("Source", "name == 's'").first)
        #expect(names(members(again, "targets")).sorted() == found.filter { $0 != "b" }.sorted())
    }

    @Test("Nullify clears the destinations' references to the object", arguments: RelationshipShape.all)
    func nullify(_ shape: RelationshipShape) throws {
        let stack = try shape.stack(.nullifyDeleteRule)
        let source = stack.insert("Source", ["name": "s"])
        let targets = ["b", "a"].map { stack.insert(shape.targetEntity, ["name": $0]) }
        connect(shape, source, targets)
        try stack.context.save()
        let other = try stack.reopened()
        other.context.delete(try #require(try other.fetch("Source", "name == 's'").first))
        other.context.processPendingChanges()
        for target in try other.fetch(shape.targetEntity, "name != 's'") where shape.back != nil {
            #expect(members(target, "sources").isEmpty)
        }
        try other.context.save()
        let third = try stack.reopened()
        let left = try third.fetch(shape.targetEntity, "name != 's'")
        #expect(left.count == 2)
        #expect(left.allSatisfy { shape.back == nil || members($0, "sources").isEmpty })
        #expect(try third.fetch("Source", "name == 's'").isEmpty)
    }

    @Test("Cascade deletes the destinations, and their destinations", arguments: RelationshipShape.all)
    func cascade(_ shape: RelationshipShape) throws {
        let stack = try shape.stack(.cascadeDeleteRule)
        let source = stack.insert("Source", ["name": "s"])
        let targets = ["b", "a"].map { stack.insert(shape.targetEntity, ["name": $0]) }
        let bystander = stack.insert(shape.targetEntity, ["name": "z"])
        connect(shape, source, targets)
        if shape.isReflexive, shape.back != .one || shape.forward == .one {
            // The objects form a circle, in which the cascade must end.
            connect(shape, targets[0], [source])
        }
        try stack.context.save()
        stack.context.delete(source)
        stack.context.processPendingChanges()
        let reached = shape.forward == .one ? [source, targets[0]] : [source] + targets
        #expect(stack.context.deletedObjects == Set(reached))
        try stack.context.save()
        #expect(!bystander.isDeleted)
        #expect(bystander.managedObjectContext != nil)
        let left = try stack.stored(shape.targetEntity, "name").compactMap { $0 as? String }
        #expect(left.sorted() == (shape.forward == .one ? ["a", "z"] : ["z"]))
    }

    @Test("Deny fails the save with 1600 while destinations exist", arguments: RelationshipShape.all)
    func deny(_ shape: RelationshipShape) throws {
        let stack = try shape.stack(.denyDeleteRule)
        let source = stack.insert("Source", ["name": "s"])
        let targets = ["b"].map { stack.insert(shape.targetEntity, ["name": $0]) }
        connect(shape, source, targets)
        try stack.context.save()
        stack.context.delete(source)
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.domain == NSCocoaErrorDomain)
        #expect(error?.code == NSValidationRelationshipDeniedDeleteError)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "targets")
        #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === source)
        #expect(error?.userInfo[NSValidationValueErrorKey] != nil)
        stack.context.delete(targets[0])
        try stack.context.save()
        #expect(try stack.reopened().fetch("Source").isEmpty)
    }

    @Test("The rule No Action changes only the deleted object", arguments: RelationshipShape.all)
    func noAction(_ shape: RelationshipShape) throws {
        let stack = try shape.stack(.noActionDeleteRule)
        let source = stack.insert("Source", ["name": "s"])
        let target = stack.insert(shape.targetEntity, ["name": "b"])
        connect(shape, source, [target])
        try stack.context.save()
        stack.context.delete(source)
        stack.context.processPendingChanges()
        #expect(stack.context.deletedObjects == [source])
        #expect(!target.hasChanges)
        try stack.context.save()
        let other = try stack.reopened()
        #expect(try other.fetch(shape.targetEntity).count == 1)
    }

    @Test("A mandatory to-one inverse emptied by nullify fails the save with 1570")
    func mandatoryInverse() throws {
        let stack = try TestStack(
            """
            Parent
              name string
              children ->> Child.parent
            Child
              name string
              parent -> Parent.children!
            """)
        let mother = stack.insert("Parent")
        let son = stack.insert("Child", ["parent": mother])
        try stack.context.save()
        stack.context.delete(mother)
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSValidationMissingMandatoryPropertyError)
        #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === son)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "parent")
        stack.context.delete(son)
        try stack.context.save()
        #expect(try stack.reopened().fetch("Child").isEmpty)
    }

    @Test("Without propagation at the end of events, delete rules run when the context saves")
    func beforeSaving() throws {
        let (stack, _) = try TestStack.witnesses()
        let root = stack.insert("Node")
        let leaf = stack.insert("Node", ["parent": root])
        try stack.context.save()
        stack.context.propagatesDeletesAtEndOfEvent = false
        stack.context.delete(root)
        stack.context.processPendingChanges()
        #expect(stack.context.deletedObjects == [root])
        #expect(!leaf.isDeleted)
        try stack.context.save()
        #expect(leaf.managedObjectContext == nil)
        #expect(try stack.fetch("Node").isEmpty)
    }

    @Test("An object inserted and then deleted leaves no reference behind, whenever rules run")
    func insertedAndDeleted() throws {
        let (stack, _) = try TestStack.witnesses()
        stack.context.propagatesDeletesAtEndOfEvent = false
        let root = stack.insert("Node")
        let leaf = stack.insert("Node", ["parent": root])
        stack.context.processPendingChanges()
        stack.context.delete(leaf)
        stack.context.processPendingChanges()
        #expect((root.value(forKey: "children") as? Set<NSManagedObject>)?.isEmpty == true)
        try stack.context.save()
        #expect(try stack.fetch("Node").count == 1)
    }
}
