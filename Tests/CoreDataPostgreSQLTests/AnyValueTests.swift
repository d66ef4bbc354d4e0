import CoreData
import CoreDataPostgreSQL
import Foundation
import Testing

@MainActor @Suite("Values of every kind in PostgreSQL stores", .needsServer)
struct AnyValueTests {
    /// The reason of the error that a body throws.
    private static func reason(_ body: () throws -> Void) throws -> String {
        let error = try #require(throws: NSError.self, performing: body)
        return error.localizedFailureReason ?? ""
    }

    // MARK: Texts

    /// A text that the server cannot compress.
    private static func long(_ seed: UInt64, _ count: Int = 3000) -> String {
        var state = seed
        return String(
            (0..<count).map { _ -> Character in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Character(Unicode.Scalar(UInt32(0x1_F300 + (state >> 40) % 0x200))!)
            })
    }

    private static func texts(_ constraints: [String]...) -> NSManagedObjectModel {
        ItemStore.model(
            [ItemStore.attribute("n", .integer64AttributeType)]
                + ["code", "a", "b", "c", "d"].map { ItemStore.attribute($0, .stringAttributeType) },
            indexes: [["a"], ["a", "b", "c", "d", "n"]], constraints: constraints)
    }

    @Test(
        "An indexed text of any length is saved and found, by itself, its beginning and its place in an order"
    )
    func longTexts() throws {
        let store = try ItemStore(Self.texts(["code"], ["a", "b", "c", "d"]))
        let (one, two) = (Self.long(1), Self.long(2))
        let beginning = String(one.prefix(2000))
        let all = [
            "", "ä", one, two, beginning, beginning + "x", String(one.prefix(199)), String(one.prefix(200)),
        ]
        for (number, text) in all.enumerated() {
            store.insert(["n": number, "a": text, "b": one, "c": two, "d": text, "code": text])
        }
        store.insert(["n": all.count])
        try store.context.save()
        for (number, text) in all.enumerated() {
            #expect(try store.numbers("a == %@", text) == [number])
            #expect(try store.numbers("a == %@ AND n >= 0", text) == [number])
            #expect(try store.numbers("a IN %@", [text]) == [number])
            let sorted = all.indices.filter { all[$0].utf8.lexicographicallyPrecedes(text.utf8) }
            #expect(try store.numbers("a < %@", text) == sorted)
            #expect(try store.numbers("a >= %@", text) == all.indices.filter { !sorted.contains($0) })
            #expect(try store.numbers("a BETWEEN {'', %@}", text).count == sorted.count + 1)
            let begun = all.indices.filter { all[$0].hasPrefix(text) && text != "" }
            #expect(try store.numbers("a BEGINSWITH %@", text) == begun)
        }
        let many = all + (0..<20).map { "\($0)" }
        #expect(try store.numbers("a IN %@", many) == Array(all.indices))
        #expect(try store.numbers("a IN %@", (0..<20).map { "\($0)" } + ["ä"]) == [1])
        let request = store.request()
        request.sortDescriptors = [NSSortDescriptor(key: "a", ascending: true)]
        request.fetchLimit = 7
        let order = all.indices.sorted { all[$0].utf8.lexicographicallyPrecedes(all[$1].utf8) }
        #expect(
            try store.context.fetch(request).map { $0.value(forKey: "n") as? Int }
                == [all.count] + order.prefix(6))
    }

    @Test("Texts of any length are unique: long ones differ by what comes after their beginnings")
    func uniqueTexts() throws {
        let store = try ItemStore(Self.texts(["code"]))
        let text = Self.long(3)
        for (number, code) in [text, text + "x", String(text.prefix(200)), String(text.prefix(201))]
            .enumerated()
        {
            store.insert(["n": number, "code": code])
        }
        store.insert(["n": 4])
        store.insert(["n": 5])
        try store.context.save()
        store.insert(["n": 6, "code": text])
        let error = try #require(throws: NSError.self) { try store.context.save() }
        #expect(error.code == NSManagedObjectConstraintMergeError)
        store.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try store.context.save()
        #expect(try store.numbers("code == %@", text) == [6])
        let insert = NSBatchInsertRequest(
            entityName: "Item", objects: [["n": 7, "code": text], ["n": 8, "code": text + "y"]])
        try store.context.execute(insert)
        store.context.reset()
        #expect(try store.numbers("code == %@", text) == [7])
        #expect(try store.numbers("code == %@", text + "y") == [8])
    }

    @Test("A text with NUL is refused, and the error names its attribute")
    func nul() throws {
        let store = try ItemStore(Self.texts(["code"]))
        let item = store.insert(["n": 1, "code": "a\0b"])
        #expect(try Self.reason { try store.context.save() }.hasPrefix("Item.code: "))
        item.setValue("a", forKey: "code")
        try store.context.save()
        item.setValue("\0", forKey: "b")
        #expect(try Self.reason { try store.context.save() }.hasPrefix("Item.b: "))
        store.context.rollback()
        store.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        for code in ["x\0", "a\0"] {
            let insert = NSBatchInsertRequest(entityName: "Item", objects: [["n": 7, "code": code]])
            #expect(try Self.reason { try store.context.execute(insert) }.hasPrefix("Item.code: "))
        }
        let update = NSBatchUpdateRequest(entityName: "Item")
        update.propertiesToUpdate = ["a": "\0"]
        #expect(throws: NSError.self) { try store.context.execute(update) }
        #expect(try store.numbers("a == %@ OR n == 1", "\0") == [1])
    }

    @Test("A value that cannot be stored, behind thousands of others, leaves nothing saved")
    func nulAtTheEnd() throws {
        let store = try ItemStore(Self.texts())
        let text = String(repeating: "a", count: 100)
        let items = (0..<3000).map { store.insert(["n": $0, "a": text]) }
        items[2999].setValue("\0", forKey: "a")
        #expect(try Self.reason { try store.context.save() }.hasPrefix("Item.a: "))
        let saved = NSFetchRequest<NSManagedObject>(entityName: "Item")
        saved.includesPendingChanges = false
        #expect(try store.context.count(for: saved) == 0)
        items[2999].setValue(text, forKey: "a")
        try store.context.save()
        #expect(try store.context.count(for: saved) == 3000)
    }

    // MARK: Numbers

    private static let numbers = ItemStore.model([
        ItemStore.attribute("n", .integer64AttributeType), ItemStore.attribute("x", .doubleAttributeType),
        ItemStore.attribute("price", .decimalAttributeType),
    ])

    private static func filled(_ values: [Double?]) throws -> ItemStore {
        let store = try ItemStore(numbers)
        for (number, value) in values.enumerated() {
            store.insert(["n": number, "price": NSDecimalNumber(value: number)]).setValue(value, forKey: "x")
        }
        try store.context.save()
        return store
    }

    @Test("Numbers that grow out of a double's range are infinite, and those too small are 0")
    func overflow() throws {
        let store = try Self.filled([1e308, -1e308, 1e-308, 1, nil])
        #expect(try store.numbers("x * 100 > 1") == [0, 3])
        #expect(try store.numbers("x * x > 1") == [0, 1])
        #expect(try store.numbers("x * x == 0") == [2])
        #expect(try store.numbers("x / 0.01 < 0") == [1])
        #expect(try store.numbers("x + x == x AND x != nil") == [])
        #expect(try store.context.count(for: store.request("x * x > 0")) == 3)
        let request = store.request("x * x > 0")
        request.sortDescriptors = [NSSortDescriptor(key: "n", ascending: false)]
        (request.fetchLimit, request.fetchOffset) = (1, 1)
        #expect(try store.context.fetch(request).map { $0.value(forKey: "n") as? Int } == [1])
        #expect(
            try store.values(
                CoreData.NSExpression(format: "sum:(n)"), .integer64AttributeType, where: "x * x > 1")
                as? [Int] == [1])
    }

    @Test("Infinite numbers are kept, NaN is null")
    func infinite() throws {
        let store = try Self.filled([.infinity, -.infinity, .nan, 1])
        store.context.reset()
        #expect(try store.numbers("x == nil") == [2])
        #expect(try store.numbers("x > 1") == [0])
        #expect(try store.numbers("x < 0") == [1])
        let sum = CoreData.NSExpression(format: "sum:(x)")
        #expect(try store.values(sum, .doubleAttributeType, where: "n != 1") as? [Double] == [.infinity])
        #expect(try store.values(sum, .doubleAttributeType) as? [Double] ?? [] == [])
        #expect(try store.numbers("price == %@", NSDecimalNumber.notANumber) == [])
    }

    @Test("A quotient of what may be whole or a fraction is that of memory")
    func quotients() throws {
        let store = try Self.filled([7, 0.5, nil])
        for format in [
            "max:({n, 0.5}) / 2 == 0.5", "max:({n, 0.5}) / 2 == 0.25", "min:({n, x, 3}) / -4 < 0",
            "TERNARY(n > 1, 5, 0.5) / 2 == 2", "sum:({n, x, 5}) / 2 == 3", "abs:(max:({n, 1.5})) / 2 == 1",
            "max:({n, 0.5}) * 2 == 4", "max:({price, n}) / 2 == 1", "TERNARY(n > 1, nil, nil) == 5",
            "TERNARY(n > 1, nil, 5) == 5", "TERNARY(n > 1, nil, x) > 0", "TERNARY(n > 0, nil, 'a') == 'a'",
        ] {
            let predicate = NSPredicate(format: format)
            let all = try store.context.fetch(store.request())
            let expected = all.filter(predicate.evaluate).map { $0.value(forKey: "n") as? Int ?? -1 }.sorted()
            #expect(try store.numbers(format) == expected, "\(format)")
        }
    }

    @Test("Of several values that are equally frequent, the mode is the least")
    func mode() throws {
        let store = try Self.filled([7, 3, 7, 3, 9, nil, nil, nil])
        #expect(
            try store.values(CoreData.NSExpression(format: "mode:(x)"), .doubleAttributeType) as? [Double]
                == [3])
    }

    // MARK: Indexes

    @Test("An index whose condition compares with a value of another type is left out")
    func partialIndexes() throws {
        for format in ["x > 'a'", "x > '5'", "n == 2.5", "price < 1.25", "n == 1", "n != nil", "x == 1e300"] {
            let model = Self.numbers.copy() as! NSManagedObjectModel
            let item = try #require(model.entities.first)
            let element = NSFetchIndexElementDescription(
                property: item.propertiesByName["n"]!, collationType: .binary)
            let index = NSFetchIndexDescription(name: "byNumber", elements: [element])
            index.partialIndexPredicate = NSPredicate(format: format)
            item.indexes = [index]
            let store = try ItemStore(model)
            store.insert(["n": 1])
            try store.context.save()
            #expect(try store.numbers("n == 1") == [1], "\(format)")
        }
    }

    @Test("A spatial index finds the same objects as none")
    func places() throws {
        let model = Self.numbers.copy() as! NSManagedObjectModel
        let item = try #require(model.entities.first)
        item.indexes = [
            NSFetchIndexDescription(
                name: "byPlace",
                elements: ["x", "price"].map {
                    NSFetchIndexElementDescription(
                        property: item.propertiesByName[$0]!, collationType: .rTree)
                })
        ]
        let store = try ItemStore(model)
        for number in 0..<5 { store.insert(["n": number, "x": Double(number), "price": number as NSNumber]) }
        try store.context.save()
        let format =
            "indexed:by:(x, 'byPlace') BETWEEN {1, 3} AND indexed:by:(price, 'byPlace') BETWEEN {2, 9}"
        #expect(try store.numbers(format) == [2, 3])
    }

    // MARK: Order

    @Test(
        "Objects that are equal in all sort keys come in the order of a SQLite store, in any window and batch",
        arguments: 1...6)
    func ties(_ seed: UInt64) throws {
        let model = ItemStore.model(
            [
                ItemStore.attribute("n", .integer64AttributeType),
                ItemStore.attribute("x", .doubleAttributeType),
                ItemStore.attribute("name", .stringAttributeType),
            ], indexes: [["name"]])
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        func random(_ limit: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % limit)
        }
        let stores = [try ItemStore(model), try ItemStore(model, .sqlite)]
        for step in 0..<4 {
            let new = (0..<40).map { ($0 + 40 * step, random(3), ["Ann", "ann", "Éva", nil][random(4)]) }
            let changed = (0..<10).map { _ in (random(40), random(3)) }
            for store in stores {
                for (number, value, name) in new {
                    store.insert(["n": number, "x": Double(value)]).setValue(name, forKey: "name")
                }
                for (number, value) in changed {
                    for item in try store.context.fetch(store.request("n == %@", [number])) {
                        if value == 0 {
                            store.context.delete(item)
                        } else {
                            item.setValue(value, forKey: "x")
                        }
                    }
                }
                try store.context.save()
            }
        }
        let orders: [[NSSortDescriptor]] = [
            [], [NSSortDescriptor(key: "x", ascending: true)], [NSSortDescriptor(key: "x", ascending: false)],
            [NSSortDescriptor(key: "name", ascending: true)],
            [
                NSSortDescriptor(key: "name", ascending: true, selector: Selector("caseInsensitiveCompare:")),
                NSSortDescriptor(key: "x", ascending: false),
            ],
        ]
        for order in orders {
            for (limit, offset, batch) in [
                (0, 0, 0), (7, 0, 0), (5, 11, 0), (0, 20, 0), (0, 0, 9), (13, 4, 3),
            ] {
                for format in ["x >= 1", "name CONTAINS[c] 'a'", nil] {
                    let found = try stores.map { store in
                        store.context.reset()
                        let request = store.request(format)
                        request.sortDescriptors = order
                        (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (
                            limit, offset, batch
                        )
                        return try store.context.fetch(request).map { $0.value(forKey: "n") as? Int }
                    }
                    #expect(found[0] == found[1], "\(order) \(limit) \(offset) \(batch) \(format ?? "")")
                }
            }
        }
    }
}
