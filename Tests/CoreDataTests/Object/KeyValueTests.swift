import CoreData
import Foundation
import Testing

@Suite("Key-value access to objects")
@MainActor
struct KeyValueTests {
    @Test("Numbers are NSNumbers that cast to every number type, whatever the attribute's type")
    func numbers() throws {
        let stack = try CompanyStack()
        let ann = stack.insert(
            "Employee",
            ["salary": 7, "score": 2.5, "ratio": Float(0.5), "active": true, "rank": Int16(-3), "bonus": 3])
        for key in ["salary", "score", "ratio", "active", "rank", "bonus"] {
            #expect(ann.value(forKey: key) is NSNumber, "\(key)")
        }
        #expect(ann.value(forKey: "bonus") is NSDecimalNumber)
        #expect(ann.value(forKey: "salary") as? Int == 7)
        #expect(ann.value(forKey: "salary") as? Int64 == 7)
        #expect(ann.value(forKey: "rank") as? Int == -3)
        #expect(ann.value(forKey: "active") as? Bool == true)
        #expect(ann.value(forKey: "score") as? Double == 2.5)
        #expect(ann.value(forKey: "ratio") as? Float == 0.5)
        ann.setValue(NSNumber(value: 8.9), forKey: "salary")
        #expect(ann.value(forKey: "salary") as? Int == 8)
        ann.setValue(1, forKey: "active")
        #expect(ann.value(forKey: "active") as? Bool == true)
        ann.setValue(NSDecimalNumber(string: "1.10"), forKey: "bonus")
        #expect((ann.value(forKey: "bonus") as? NSDecimalNumber)?.stringValue == "1.1")
    }

    @Test("A key that begins with a capital letter sets the property that begins with a small one")
    func capitals() throws {
        let stack = try TestStack("A\n  count int16")
        let object = stack.insert("A")
        object.setValue(3, forKey: "Count")
        #expect(object.value(forKey: "count") as? Int == 3)
        #expect(object.changedValues()["count"] as? Int == 3)
    }

    @Test("Small numbers have their attribute's type like large ones")
    func numberTypes() throws {
        let stack = try TestStack(
            "A\n  i16 int16\n  i32 int32\n  i64 int64\n  flag bool\n  d double\n  f float")
        let object = stack.insert("A")
        for number in [-32768, -17, -16, -1, 0, 1, 255, 256, 32767] {
            let typed = [
                "i16": NSNumber(value: Int16(number)), "i32": NSNumber(value: Int32(number)),
                "i64": NSNumber(value: Int64(number)), "d": NSNumber(value: Double(number)),
                "f": NSNumber(value: Float(number)),
            ]
            for (key, expected) in typed {
                for value: Any in [number, Int64(number), NSNumber(value: number)] {
                    object.setValue(value, forKey: key)
                    let read = try #require(object.value(forKey: key) as? NSNumber)
                    #expect(read == expected, "\(key)")
                    #expect(String(cString: read.objCType) == String(cString: expected.objCType), "\(key)")
                }
            }
        }
        for value: Any in [true, NSNumber(value: true), NSNumber(value: 2), 1] {
            object.setValue(value, forKey: "flag")
            #expect(object.value(forKey: "flag") as? Bool == true)
        }
        for value: Any in [false, NSNumber(value: false), 0] {
            object.setValue(value, forKey: "flag")
            #expect(object.value(forKey: "flag") as? Bool == false)
        }
        object.setValue(NSNumber(value: 2.5), forKey: "f")
        #expect(object.value(forKey: "f") as? Float == 2.5)
        object.setValue(NSNumber(value: -2.5), forKey: "i64")
        #expect(object.value(forKey: "i64") as? Int == -2)
    }

    @Test("Nil, NSNull in dictionaries and empty optionals clear a value")
    func nils() throws {
        let stack = try CompanyStack()
        let ann = stack.insert("Employee", ["name": "Ann", "salary": 3, "born": Date()])
        ann.setValue(nil, forKey: "born")
        ann.setValue(Optional<String>.none as Any, forKey: "name")
        ann.setValuesForKeys(["salary": NSNull()])
        #expect(
            ann.dictionaryWithValues(forKeys: ["name", "born", "salary"]).values.allSatisfy { $0 is NSNull })
        #expect((ann as? Employee)?.salary == 0)
        #expect(ann.value(forKeyPath: "department.company.name") == nil)
        #expect(ann.dictionaryWithValues(forKeys: ["name", "name"]).count == 1)
    }

    @Test(
        "A key path that ends at an ordered relationship gives its ordered set"
    )
    func orderedEnd() throws {
        let stack = try TestStack("List\n  items ->>> Item.list\nItem\n  name string\n  list -> List.items")
        let list = stack.insert("List")
        let items = ["a", "b"].map { stack.insert("Item", ["name": $0, "list": list]) }
        #expect(items[0].value(forKeyPath: "list.items") as? NSOrderedSet == NSOrderedSet(array: items))
        #expect(items[0].value(forKeyPath: "list.items.name") as? NSOrderedSet == ["a", "b"])
    }

    @Test("A key path through a set to ordered sets gives a set of distinct ordered sets")
    func orderedEnds() throws {
        let stack = try TestStack(
            ModelSketch(
                "Shelf\n  lists ->> List.shelf\nList\n  shelf -> Shelf.lists\n  items ->>> Item.list\n"
                    + "Item\n  name string\n  list -> List.items"
            ).model)
        let shelf = stack.insert("Shelf")
        for number in 0..<40 {
            let list = stack.insert("List", ["shelf": shelf])
            for name in [number % 2 == 0 ? "a" : "b", "c"] {
                stack.insert("Item", ["name": name, "list": list])
            }
        }
        let names = try #require(shelf.value(forKeyPath: "lists.items.name") as? NSSet)
        #expect(names.count == 2)
        #expect(names.compactMap { ($0 as? NSOrderedSet)?.firstObject as? String }.sorted() == ["a", "b"])
        #expect((shelf.value(forKeyPath: "lists.items") as? NSSet)?.count == 40)
    }

    @Test("Key-value access to an array gives one value per object, to an ordered set distinct values")
    func collections() throws {
        let stack = try TestStack("Item\n  name string")
        let items = ["b", nil, "a", "b"].map { stack.insert("Item", ["name": $0 as Any]) }
        let names: [AnyHashable] = ["b", NSNull(), "a", "b"]
        #expect(NSArray(array: items).value(forKey: "name") as? [AnyHashable] == names)
        #expect(
            NSArray(array: items).value(forKeyPath: "objectID.entity.name") as? [String]
                == Array(repeating: "Item", count: 4))
        #expect(NSOrderedSet(array: items).value(forKey: "name") as? NSOrderedSet == ["b", "a"])
        #expect(NSSet(array: items).value(forKey: "name") as? NSSet == ["a", "b"])
    }

    @Test(
        "Decimal numbers are collected along a key path",
        arguments: [NSPersistentStore.StoreType.tested, .inMemory])
    func decimals(_ type: NSPersistentStore.StoreType) throws {
        let stack = try TestStack("A\n  bs ->> B.a\nB\n  price decimal\n  a -> A.bs", type: type)
        let a = stack.insert("A")
        for price in ["0.5", "0.5", "2"] {
            stack.insert("B", ["price": NSDecimalNumber(string: price), "a": a])
        }
        #expect((a.value(forKeyPath: "bs.price") as? NSSet)?.count == 2)
        #expect((a.value(forKeyPath: "bs.@distinctUnionOfObjects.price") as? NSSet)?.count == 2)
        #expect(a.value(forKeyPath: "bs.@sum.price") as? NSDecimalNumber == 3)
        let prices = (a.value(forKey: "bs") as? Set<NSManagedObject> ?? []).compactMap {
            $0.value(forKey: "price") as? NSDecimalNumber
        }
        #expect(Set(prices).count == 2)
        #expect(Set(prices).contains { $0 == 0.5 })
        try stack.context.save()
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "B")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["price"]
        request.returnsDistinctResults = true
        #expect(try stack.context.fetch(request).count == 2)
        request.propertiesToGroupBy = ["price"]
        #expect(try stack.context.fetch(request).count == 2)
    }

    @Test("Collection operators work through one or two to-many relationships")
    func operators() throws {
        let stack = try CompanyStack()
        let company = stack.insert("Company", ["name": "C"])
        for (floor, salaries) in [(1, [10, 30]), (2, [20, 20])] {
            let department = stack.insert(
                "Department", ["name": "\(floor)", "floor": floor, "company": company])
            for salary in salaries {
                stack.insert("Employee", ["salary": salary, "department": department])
            }
        }
        func value(_ path: String) -> Any? { company.value(forKeyPath: path) }
        #expect(value("departments.@count") as? Int == 2)
        #expect(value("departments.@sum.floor") as? Int == 3)
        #expect(value("departments.@avg.floor") as? Double == 1.5)
        #expect(value("departments.@min.name") as? String == "1")
        #expect(value("departments.@max.floor") as? Int == 2)
        #expect(value("departments.floor") as? Set<NSNumber> == [1, 2])
        let sets = value("departments.employees") as? NSSet
        #expect(sets?.compactMap { ($0 as? NSSet)?.count }.reduce(0, +) == 4)
        #expect(value("departments.employees.@sum.salary") as? Int == 80)
        #expect(value("departments.@distinctUnionOfObjects.floor") as? Set<NSNumber> == [1, 2])
        let empty = stack.insert("Company")
        #expect(empty.value(forKeyPath: "departments.@sum.floor") as? Int == 0)
        #expect(empty.value(forKeyPath: "departments.@max.floor") == nil)
    }

    @Test("A key path that encounters nil is nil, however long it is")
    func nilOnTheWay() throws {
        let stack = try CompanyStack()
        let employee = stack.insert("Employee", ["desk": stack.insert("Desk")])
        for path in [
            "department.company.name", "department.employees.@count", "department.employees.@sum.salary",
        ] {
            #expect(employee.value(forKeyPath: path) == nil, "\(path)")
            #expect(employee.value(forKeyPath: "desk.owner." + path) == nil, "\(path)")
        }
    }

    @Test("Setting a key path through a to-many sets the value of every member")
    func settingPaths() throws {
        let stack = try CompanyStack()
        let department = stack.insert("Department", ["name": "A"])
        let people = (0..<3).map { stack.insert("Employee", ["name": "\($0)", "department": department]) }
        department.setValue(5, forKeyPath: "employees.salary")
        #expect(people.allSatisfy { $0.value(forKey: "salary") as? Int == 5 })
        people[0].setValue(7, forKeyPath: "department.floor")
        #expect(department.value(forKey: "floor") as? Int == 7)
    }

    @Test("Primitive access notes no change, unless will- and didChangeValue are called")
    func primitives() throws {
        let (stack, _) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        let parent = stack.insert("Node", ["name": "p"])
        try stack.context.save()
        node.setPrimitiveValue("b", forKey: "name")
        #expect(node.primitiveValue(forKey: "name") as? String == "b")
        #expect(!node.hasChanges)
        node.willChangeValue(forKey: "name")
        node.setPrimitiveValue("c", forKey: "name")
        node.didChangeValue(forKey: "name")
        #expect(node.isUpdated)
        #expect(node.changedValues()["name"] as? String == "c")
        node.willChangeValue(forKey: "parent")
        node.setPrimitiveValue(parent, forKey: "parent")
        node.didChangeValue(forKey: "parent")
        #expect(parent.value(forKey: "children") as? NSSet == [node])
        node.willAccessValue(forKey: "name")
        #expect(node.primitiveValue(forKey: "name") as? String == "c")
        node.didAccessValue(forKey: "name")
        try stack.context.save()
        #expect(try stack.stored("Node", "parent.name").compactMap { $0 as? String } == ["p"])
    }

    @Test(
        "A value set only by a primitive accessor is not a change and is not saved",
        arguments: [NSPersistentStore.StoreType.tested, .inMemory])
    func silentPrimitives(_ type: NSPersistentStore.StoreType) throws {
        let stack = try TestStack(
            """
            Node
              name string
              size int64
              children ->> Node.parent
              parent -> Node.children
            """, type: type)
        let (node, other) = (stack.insert("Node", ["name": "a", "size": 1]), stack.insert("Node"))
        try stack.context.save()
        node.setPrimitiveValue("b", forKey: "name")
        node.setPrimitiveValue(other, forKey: "parent")
        node.setPrimitiveValue(Set([other]), forKey: "children")
        #expect(!node.hasChanges)
        #expect(!node.hasPersistentChangedValues)
        #expect(!stack.context.hasChanges)
        #expect(node.changedValues().isEmpty)
        #expect(node.changedValuesForCurrentEvent().isEmpty)
        stack.context.processPendingChanges()
        #expect(node.changedValues().isEmpty)
        #expect(node.changedValuesForCurrentEvent().isEmpty)
        try stack.context.save()
        #expect(node.value(forKey: "name") as? String == "b")
        #expect(node.changedValues().isEmpty)
        stack.context.refresh(node, mergeChanges: false)
        #expect(node.value(forKey: "name") as? String == "a")
        #expect(node.value(forKey: "parent") == nil)
        #expect(node.value(forKey: "children") as? NSSet == [])
    }

    @Test("A primitive value is reported, saved and undone together with another change")
    func primitivesBesideChanges() throws {
        let (stack, _) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a", "number": 1])
        try stack.context.save()
        let manager = UndoManager()
        manager.groupsByEvent = false
        stack.context.undoManager = manager
        for isSaved in [false, true] {
            manager.beginUndoGrouping()
            node.setPrimitiveValue("b", forKey: "name")
            node.setValue(2, forKey: "number")
            #expect(Set(node.changedValues().keys) == ["name", "number"])
            #expect(node.changedValuesForCurrentEvent()["name"] as? String == "a")
            stack.context.processPendingChanges()
            manager.endUndoGrouping()
            if isSaved {
                try stack.context.save()
                stack.context.refresh(node, mergeChanges: false)
                #expect(node.value(forKey: "name") as? String == "b")
            } else {
                stack.context.undo()
                #expect(node.value(forKey: "name") as? String == "a")
                #expect(!node.hasChanges)
            }
        }
    }

    @Test("The object's own members are accessible by key")
    func ownKeys() throws {
        let (stack, _) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        #expect(node.value(forKey: "objectID") as? NSManagedObjectID == node.objectID)
        #expect(node.value(forKeyPath: "entity.name") as? String == "Node")
        #expect(node.value(forKey: "isInserted") as? Bool == true)
        #expect(node.value(forKey: "self") as? NSManagedObject === node)
    }
}
