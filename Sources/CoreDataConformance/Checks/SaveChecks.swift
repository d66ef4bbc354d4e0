import CoreData
import Foundation

extension StoreConformance {
    static let saving: [Rule] = [
        Rule("New objects get permanent IDs that other contexts and URIs lead to") { stage in
            let ann = stage.insert("Employee", ["name": "Ann"])
            let bob = stage.insert("Employee", ["name": "Bob"])
            try expect(ann.objectID.isTemporaryID, "A new object has a permanent ID.")
            try stage.context.obtainPermanentIDs(for: [bob])
            let early = bob.objectID
            try stage.context.save()
            try expect(bob.objectID, is: early, "the ID that was obtained early")
            try expect(
                !ann.objectID.isTemporaryID && ann.objectID != bob.objectID, "The IDs are no permanent ones.")
            let uri = ann.objectID.uriRepresentation()
            let found = stage.coordinator.managedObjectID(forURIRepresentation: uri)
            try expect(found, is: ann.objectID, "the ID of \(uri)")
            try expect(try stage.sibling().existingObject(with: ann.objectID).name, is: "Ann", "the name")
        },
        Rule("A deleted object is gone for everybody") { stage in
            let ann = stage.insert("Employee", ["name": "Ann"])
            try stage.context.save()
            let id = ann.objectID
            stage.context.delete(ann)
            try stage.context.save()
            let other = stage.sibling()
            let problem = try error("existingObject(with:)") { _ = try other.existingObject(with: id) }
            try expect(problem.code, is: NSManagedObjectReferentialIntegrityError, "the code of the error")
            try expect(try other.objects("Employee").count, is: 0, "the number of employees")
        },
        Rule("A rollback takes back what was not saved") { stage in
            let ann = stage.insert("Employee", ["name": "Ann", "age": 1])
            try stage.context.save()
            ann.setValue(2, forKey: "age")
            stage.insert("Employee", ["name": "Bob"])
            stage.context.rollback()
            try expect(ann.value(forKey: "age") as? Int, is: 1, "the age")
            try expect(try stage.fetch("Employee").count, is: 1, "the number of employees")
        },
        Rule("An object that was faulted again is read again") { stage in
            let ann = stage.insert("Employee", ["name": "Ann", "age": 1])
            try stage.context.save()
            let other = stage.sibling()
            let twin = try other.existingObject(with: ann.objectID)
            twin.setValue(2, forKey: "age")
            try other.save()
            stage.context.refresh(ann, mergeChanges: false)
            try expect(ann.isFault, "The object is no fault.")
            try expect(ann.value(forKey: "age") as? Int, is: 2, "the age")
        },
        Rule("Nested contexts save through their parent") { stage in
            let ann = stage.insert("Employee", ["name": "Ann"])
            try stage.context.save()
            let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            child.parent = stage.context
            let twin = try child.existingObject(with: ann.objectID)
            twin.setValue("Anna", forKey: "name")
            let tag = child.insert("Tag", ["name": "red", "employees": NSSet(object: twin)])
            try child.save()
            try expect(ann.name, is: "Anna", "the name in the parent")
            try stage.context.save()
            let other = stage.sibling()
            let found = try other.existingObject(with: ann.objectID)
            try expect(found.names("tags"), is: ["red"], "tags")
            try child.obtainPermanentIDs(for: [tag])
            try expect(!tag.objectID.isTemporaryID, "The child's object has a temporary ID.")
        },
        Rule("A row that changed since it was read is a conflict", needs: .optimisticLocking) { stage in
            let ann = stage.insert("Employee", ["name": "Ann", "age": 1, "salary": 1.0])
            try stage.context.save()
            let other = stage.sibling()
            let twin = try other.existingObject(with: ann.objectID)
            twin.setValue(2, forKey: "age")
            try other.save()
            ann.setValue(3.0, forKey: "salary")
            let problem = try error("save()") { try stage.context.save() }
            try expect(problem.code, is: NSManagedObjectMergeError, "the code of the error")
            let conflicts =
                problem.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
            try expect(conflicts.map(\.sourceObject), is: [ann], "the objects in conflict")
            stage.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try stage.context.save()
            try expect(ann.value(forKey: "age") as? Int, is: 2, "the age")
            let third = try stage.sibling().existingObject(with: ann.objectID)
            try expect(third.value(forKey: "salary") as? Double, is: 3, "the salary")
            stage.context.mergePolicy = NSMergePolicy.error
            other.refreshAllObjects()
            other.delete(twin)
            try other.save()
            ann.setValue(5.0, forKey: "salary")
            let gone = try error("save() of a deleted row") { try stage.context.save() }
            try expect(gone.code, is: NSManagedObjectMergeError, "the code of the error")
        },
        Rule("A thousand objects, and a hundred saves") { stage in
            let department = stage.insert("Department", ["name": "Many"])
            for number in 0..<1000 {
                stage.insert(
                    "Employee", ["name": "\(number)", "age": number % 100, "department": department])
            }
            try stage.context.save()
            for number in 0..<100 {
                let person = try stage.first("Employee", "name == %@", "\(number)")
                if number % 3 == 0 {
                    stage.context.delete(person)
                } else {
                    person.setValue(-1, forKey: "age")
                }
                try stage.context.save()
            }
            let other = stage.sibling()
            try expect(try other.objects("Employee").count, is: 966, "the number of employees")
            try expect(
                try other.objects("Employee", NSPredicate(format: "age == -1")).count, is: 66,
                "how many changed")
            try expect(
                try other.existingObject(with: department.objectID).names("employees").count, is: 966,
                "the members")
        },
    ]
}
