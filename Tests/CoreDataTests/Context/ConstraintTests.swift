import CoreData
import Foundation
import Testing

@Suite("Unique values", .serialized)
@MainActor
struct ConstraintTests {
    /// A saved author with one book, and a new one of the same name with another book.
    private struct Rivals {
        let stack: TestStack
        let old: NSManagedObject
        let new: NSManagedObject
        let oldID: NSManagedObjectID

        @MainActor
        init(_ policy: NSMergePolicy) throws {
            stack = try CatalogStack(policy: policy)
            old = stack.insert("Author", ["name": "Ursula", "town": "Portland", "age": 40])
            stack.insert("Book", ["name": "first", "author": old])
            try stack.context.save()
            oldID = old.objectID
            new = stack.insert("Author", ["name": "Ursula", "age": 41])
            stack.insert("Book", ["name": "second", "author": new])
        }

        /// The one author of the file, as another stack reads it: age, town and the names of its books.
        @MainActor
        func stored() throws -> (age: Int?, town: String?, books: [String]) {
            let other = try stack.reopened()
            let authors = try other.fetch("Author")
            let author = try #require(authors.first)
            #expect(authors.count == 1)
            #expect(author.objectID.uriRepresentation() == oldID.uriRepresentation())
            let books = try other.fetch("Book", "author == %@", author)
            return (
                author.value(forKey: "age") as? Int, author.value(forKey: "town") as? String,
                books.compactMap { $0.value(forKey: "name") as? String }
            )
        }
    }

    @Test("The error policy fails with 133021, names the constraint and both objects, keeps changes")
    func errorPolicy() throws {
        let rivals = try Rivals(.error)
        let error = #expect(throws: NSError.self) { try rivals.stack.context.save() }
        #expect(error?.code == NSManagedObjectConstraintMergeError)
        let list = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
        let conflict = try #require(list?.first)
        #expect(list?.count == 1)
        #expect(conflict.constraint == ["name"])
        #expect(conflict.constraintValues["name"] as? String == "Ursula")
        #expect(conflict.databaseObject === rivals.old)
        #expect(conflict.conflictingObjects == [rivals.new])
        #expect(conflict.databaseSnapshot?["age"] as? Int == 40)
        #expect(conflict.conflictingSnapshots.first?["age"] as? Int == 41)
        #expect(conflict.description.contains("constraint (name): database: \(rivals.old.objectID)"))
        #expect(rivals.new.isInserted)
        #expect(rivals.stack.context.hasChanges)
        rivals.new.setValue("Le Guin", forKey: "name")
        try rivals.stack.context.save()
        #expect(try rivals.stack.stored("Author", "name") == ["Le Guin", "Ursula"])
    }

    @Test("Object trump updates the row with the new object's values, and the row's ID stays")
    func objectTrump() throws {
        let rivals = try Rivals(.mergeByPropertyObjectTrump)
        try rivals.stack.context.save()
        #expect(rivals.new.managedObjectContext == nil)
        #expect(!rivals.stack.context.hasChanges)
        #expect(rivals.old.value(forKey: "age") as? Int == 41)
        #expect(rivals.old.objectID == rivals.oldID)
        let stored = try rivals.stored()
        #expect(stored.age == 41)
        #expect(stored.town == "Portland")
        #expect(stored.books == ["first", "second"])
    }

    @Test("Store trump keeps the row's values and fills those it lacks")
    func storeTrump() throws {
        let rivals = try Rivals(.mergeByPropertyStoreTrump)
        rivals.old.setValue(nil, forKey: "town")
        rivals.stack.context.delete(rivals.new)
        try rivals.stack.context.save()
        let newer = rivals.stack.insert("Author", ["name": "Ursula", "age": 41, "town": "Berkeley"])
        rivals.stack.insert("Book", ["name": "third", "author": newer])
        try rivals.stack.context.save()
        let stored = try rivals.stored()
        #expect(stored.age == 40)
        #expect(stored.town == "Berkeley")
        #expect(stored.books == ["first", "third"])
    }

    @Test("Overwrite replaces every value of the row, even by values that were never set")
    func overwrite() throws {
        let rivals = try Rivals(.overwrite)
        try rivals.stack.context.save()
        let stored = try rivals.stored()
        #expect(stored.age == 41)
        #expect(stored.town == nil)
        #expect(stored.books == ["first", "second"])
    }

    @Test("Rollback drops the new object, and references to it lead to the stored row")
    func rollback() throws {
        let rivals = try Rivals(.rollback)
        try rivals.stack.context.save()
        let stored = try rivals.stored()
        #expect(stored.age == 40)
        #expect(stored.town == "Portland")
        #expect(stored.books == ["first", "second"])
        #expect(!rivals.old.hasChanges)
        #expect(rivals.new.managedObjectContext == nil)
    }

    @Test(
        "New objects with the same unique value become one object",
        arguments: [
            (NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, 2),
            (.mergeByPropertyStoreTrumpMergePolicyType, 1), (.overwriteMergePolicyType, 2),
            (.rollbackMergePolicyType, 1),
        ])
    func withinContext(_ type: NSMergePolicyType, age: Int) throws {
        let stack = try CatalogStack(policy: NSMergePolicy(merge: type))
        let first = stack.insert("Author", ["name": "Ann", "age": 1])
        stack.insert("Author", ["name": "Ann", "age": 2])
        let shelf = stack.insert("Shelf", ["name": "A", "favourite": stack.insert("Author", ["name": "Bo"])])
        try stack.context.save()
        #expect(try stack.fetch("Author").map { $0.value(forKey: "age") as? Int } == [age, nil])
        #expect(first.objectID.isTemporaryID == false)
        #expect(shelf.value(forKeyPath: "favourite.name") as? String == "Bo")
    }

    @Test("Two new objects with the same value fail under the error policy without a database object")
    func withinContextError() throws {
        let stack = try CatalogStack()
        let authors = [stack.insert("Author", ["name": "Ann"]), stack.insert("Author", ["name": "Ann"])]
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        let conflict = try #require((error?.userInfo["conflictList"] as? [NSConstraintConflict])?.first)
        #expect(conflict.databaseObject == nil)
        #expect(Set(conflict.conflictingObjects) == Set(authors))
    }

    @Test("Relationships without inverse lead to the stored row, too")
    func withoutInverse() throws {
        let rivals = try Rivals(.mergeByPropertyObjectTrump)
        let shelf = rivals.stack.insert("Shelf", ["name": "A", "favourite": rivals.new])
        try rivals.stack.context.save()
        #expect(shelf.value(forKey: "favourite") as? NSManagedObject === rivals.old)
        #expect(try rivals.stack.stored("Shelf", "favourite.name") == ["Ursula"])
    }

    @Test("A constraint over two properties is violated only if both are equal")
    func twoProperties() throws {
        let stack = try CatalogStack(policy: .mergeByPropertyObjectTrump)
        stack.insert("Book", ["name": "a", "isbn": "1", "edition": 1])
        stack.insert("Book", ["name": "b", "isbn": "1", "edition": 2])
        stack.insert("Book", ["name": "c", "isbn": "1"])
        stack.insert("Book", ["name": "d", "isbn": "1"])
        try stack.context.save()
        stack.insert("Book", ["name": "e", "isbn": "1", "edition": 2])
        try stack.context.save()
        #expect(try stack.stored("Book", "name") == ["a", "c", "d", "e"])
    }

    @Test("Objects of a subentity share the constraint with objects of the parent entity")
    func inheritance() throws {
        let stack = try CatalogStack(policy: .mergeByPropertyObjectTrump)
        stack.insert("Author", ["name": "Ann", "age": 1])
        try stack.context.save()
        stack.insert("Editor", ["name": "Ann", "age": 2, "level": 7])
        try stack.context.save()
        #expect(try stack.stored("Author", "age") == [2])
        #expect(try stack.stored("Author", "entity.name") == ["Author"])
    }

    /// Ann and Bo are saved; then Bo is renamed to Ann and moves.
    private func renamed(_ policy: NSMergePolicy) throws -> TestStack {
        let stack = try CatalogStack(policy: policy)
        let ann = stack.insert("Author", ["name": "Ann", "age": 1])
        let bo = stack.insert("Author", ["name": "Bo", "age": 2])
        stack.insert("Book", ["name": "hers", "author": ann])
        try stack.context.save()
        bo.setValuesForKeys(["name": "Ann", "town": "Oslo"])
        try stack.context.save()
        return stack
    }

    @Test("Under object trump and overwrite, an object renamed to an existing name replaces that row")
    func renamedObjectTrump() throws {
        for policy in [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite] {
            let stack = try renamed(policy)
            #expect(try stack.stored("Author", "age") == [2])
            #expect(try stack.stored("Author", "books.@count") == [1])
        }
    }

    @Test(
        "Store trump restores the old name and keeps other changes; rollback restores all values")
    func renamedStoreTrump() throws {
        let merged = try renamed(.mergeByPropertyStoreTrump)
        #expect(try merged.stored("Author", "name") == ["Ann", "Bo"])
        #expect(try merged.stored("Author", "town") == [nil, "Oslo"])
        let rolledBack = try renamed(.rollback)
        #expect(try rolledBack.stored("Author", "name") == ["Ann", "Bo"])
        #expect(try rolledBack.stored("Author", "town", as: String.self) == [nil, nil])
    }

    @Test("Two objects may exchange their unique values under any policy")
    func exchange() throws {
        let stack = try CatalogStack()
        let authors = ["Ann", "Bo"].map { stack.insert("Author", ["name": $0, "town": $0]) }
        try stack.context.save()
        authors[0].setValue("Bo", forKey: "name")
        authors[1].setValue("Ann", forKey: "name")
        try stack.context.save()
        #expect(try stack.stored("Author", "town") == ["Bo", "Ann"])
    }

    @Test("An import that runs twice leaves one row each, with the IDs of the first run")
    func repeatedImport() throws {
        let stack = try CatalogStack(policy: .mergeByPropertyObjectTrump)
        var ids: [Set<URL>] = []
        for run in 0..<2 {
            for number in 0..<200 { stack.insert("Author", ["name": "\(number % 150)", "age": run]) }
            try stack.context.save()
            ids.append(Set(try stack.fetch("Author").map { $0.objectID.uriRepresentation() }))
        }
        #expect(ids[0].count == 150)
        #expect(ids[0] == ids[1])
        #expect(try stack.stored("Author", "age") == Array(repeating: 1, count: 150))
    }

    @Test("A conflict made by an app has the snapshots given to it")
    func ownConflict() throws {
        let rivals = try Rivals(.error)
        let conflict = NSConstraintConflict(
            constraint: ["name"], database: rivals.old, databaseSnapshot: ["age": 40],
            conflicting: [rivals.new], conflictingSnapshots: [["age": 41, "town": NSNull()]])
        #expect(conflict.constraintValues["name"] as? String == "Ursula")
        #expect(conflict.databaseSnapshot?["age"] as? Int == 40)
        #expect(conflict.conflictingSnapshots.count == 1)
        #expect(conflict.conflictingSnapshots.first?["age"] as? Int == 41)
        #expect(conflict.conflictingSnapshots.first?["town"] is NSNull)
    }

    @Test("A conflict keeps its snapshots when the objects change later")
    func keptSnapshots() throws {
        let rivals = try Rivals(.error)
        let error = #expect(throws: NSError.self) { try rivals.stack.context.save() }
        let list = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
        let conflict = try #require(list?.first)
        rivals.new.setValue(50, forKey: "age")
        rivals.old.setValue(51, forKey: "age")
        rivals.new.setValue("Le Guin", forKey: "name")
        #expect(conflict.constraintValues["name"] as? String == "Ursula")
        #expect(conflict.conflictingSnapshots.first?["age"] as? Int == 41)
        #expect(conflict.databaseSnapshot?["age"] as? Int == 40)
    }

    @Test("A subclass of the policy receives the conflicts and may resolve them")
    func ownPolicy() throws {
        final class Renaming: NSMergePolicy {
            nonisolated(unsafe) static var seen = 0
            override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
                for conflict in list {
                    Self.seen += 1
                    for object in conflict.conflictingObjects { object.setValue("another", forKey: "name") }
                }
            }
        }
        let rivals = try Rivals(Renaming(merge: .errorMergePolicyType))
        try rivals.stack.context.save()
        #expect(Renaming.seen == 1)
        #expect(try rivals.stack.stored("Author", "name") == ["Ursula", "another"])
    }
}
