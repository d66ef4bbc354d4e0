import CoreData
import Foundation

extension StoreConformance {
    static let relationships: [Rule] = [
        Rule("A to-one relationship and its to-many inverse") { stage in
            let sales = stage.insert("Department", ["name": "Sales"])
            let ann = stage.insert("Employee", ["name": "Ann", "department": sales])
            stage.insert("Employee", ["name": "Bob", "department": sales])
            try stage.context.save()
            let other = stage.sibling()
            let found = try other.existingObject(with: sales.objectID)
            try expect(found.names("employees"), is: ["Ann", "Bob"], "employees")
            let foundAnn = try other.existingObject(with: ann.objectID)
            try expect(
                (foundAnn.value(forKey: "department") as? NSManagedObject)?.name, is: "Sales", "department")
            foundAnn.setValue(nil, forKey: "department")
            try other.save()
            let third = try stage.sibling().existingObject(with: sales.objectID)
            try expect(third.names("employees"), is: ["Bob"], "employees")
        },
        Rule("A many-to-many relationship from either side") { stage in
            let ann = stage.insert("Employee", ["name": "Ann"])
            let bob = stage.insert("Employee", ["name": "Bob"])
            let red = stage.insert("Tag", ["name": "red"])
            let blue = stage.insert("Tag", ["name": "blue"])
            ann.mutableSetValue(forKey: "tags").addObjects(from: [red, blue])
            red.mutableSetValue(forKey: "employees").add(bob)
            try stage.context.save()
            let other = stage.sibling()
            try expect(
                try other.existingObject(with: red.objectID).names("employees"), is: ["Ann", "Bob"],
                "employees")
            let foundAnn = try other.existingObject(with: ann.objectID)
            try expect(foundAnn.names("tags"), is: ["red", "blue"], "tags")
            foundAnn.mutableSetValue(forKey: "tags").remove(try other.existingObject(with: red.objectID))
            try other.save()
            let third = stage.sibling()
            try expect(
                try third.existingObject(with: red.objectID).names("employees"), is: ["Bob"], "employees")
            try expect(try third.existingObject(with: ann.objectID).names("tags"), is: ["blue"], "tags")
        },
        Rule("An ordered relationship keeps its order through changes") { stage in
            let ann = stage.insert("Employee", ["name": "Ann"])
            let steps = ["c", "a", "b"].map { stage.insert("Step", ["name": $0]) }
            ann.setValue(NSOrderedSet(array: steps), forKey: "steps")
            try stage.context.save()
            func stored() throws -> [String] {
                try stage.sibling().existingObject(with: ann.objectID).orderedNames("steps")
            }
            try expect(try stored(), is: ["c", "a", "b"], "steps")
            ann.setValue(NSOrderedSet(array: [steps[1], steps[0], steps[2]]), forKey: "steps")
            try stage.context.save()
            try expect(try stored(), is: ["a", "c", "b"], "steps")
            stage.context.delete(steps[0])
            ann.mutableOrderedSetValue(forKey: "steps").insert(stage.insert("Step", ["name": "first"]), at: 0)
            try stage.context.save()
            try expect(try stored(), is: ["first", "a", "b"], "steps")
        },
        Rule("New objects that refer to one another in a circle") { stage in
            let boss = stage.insert("Manager", ["name": "Boss"])
            boss.setValue(boss, forKey: "boss")
            let second = stage.insert("Manager", ["name": "Second", "boss": boss])
            stage.insert("Employee", ["name": "Third", "boss": second])
            try stage.context.save()
            let other = stage.sibling()
            try expect(
                try other.existingObject(with: boss.objectID).names("reports"), is: ["Boss", "Second"],
                "reports")
            try expect(
                try other.existingObject(with: second.objectID).names("reports"), is: ["Third"], "reports")
        },
        Rule("Deleting cascades and nullifies") { stage in
            let sales = stage.insert("Department", ["name": "Sales"])
            let tag = stage.insert("Tag", ["name": "red"])
            let ann = stage.insert(
                "Employee", ["name": "Ann", "department": sales, "tags": NSSet(object: tag)])
            stage.insert("Step", ["name": "s", "employee": ann])
            try stage.context.save()
            stage.context.delete(sales)
            try stage.context.save()
            let other = stage.sibling()
            for entity in ["Department", "Employee", "Step"] {
                try expect(try other.objects(entity).count, is: 0, "the number of \(entity)")
            }
            try expect(try other.existingObject(with: tag.objectID).names("employees"), is: [], "employees")
        },
    ]
}
