import CoreData
import CoreDataSyncCore
import Foundation

/// What a user does on a device, and what became of each text.
struct SimApp {
    /// Texts that were on the screen when they were replaced or deleted.
    var replaced: Set<String> = []
    /// All texts that were entered; no two are equal.
    var entered: Set<String> = []
    /// An attribute with a text, by entity.
    static let texts = [
        "Book": "title", "Novel": "title", "Loan": "note", "Shelf": "name", "Library": "name",
    ]
    private let prefix: String
    private var count = 0

    init(prefix: String) { self.prefix = prefix }

    /// Makes a few edits in one save. One that the model's rules refuse is not made.
    mutating func edit(_ device: Device, _ random: inout SeededGenerator) throws {
        var (app, generator) = (self, random)
        do {
            try device.edit { context in
                for _ in 0..<(generator.chance(75) ? 1 : 3) { try app.step(context, &generator) }
            }
        } catch  where Simulation.isExpected(error, on: device) {
            app = self
            app.count += 10
        }
        (self, random) = (app, generator)
    }

    /// Gives one object another text in a save of its own, if it is there.
    mutating func retitle(_ local: LocalKey, _ device: Device) throws {
        let parts = local.split(separator: "/").map(String.init)
        guard let property = Self.texts[parts[0]] else { return }
        var app = self
        do {
            try device.edit { context in
                let object = try context.all(parts[0]).first {
                    $0.objectID.uriRepresentation().lastPathComponent == parts[1]
                }
                if let object { app.set(property, of: object) }
            }
            self = app
        } catch  where Simulation.isExpected(error, on: device) {
            count += 10
        }
    }

    private mutating func text() -> String {
        count += 1
        entered.insert("\(prefix)\(count)")
        return "\(prefix)\(count)"
    }

    private mutating func set(_ property: String, of object: NSManagedObject) {
        if let old = object.value(forKey: property) as? String { replaced.insert(old) }
        object.setValue(text(), forKey: property)
    }

    private mutating func step(_ context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
        let books = try context.all("Book"), shelves = try context.all("Shelf"), tags = try context.all("Tag")
        switch random.below(22) {
        case 0, 1:
            var libraries = try context.all("Library")
            if libraries.isEmpty || random.chance(15) {
                libraries.append(context.insert("Library", ["name": text()]))
            }
            context.insert("Shelf", ["name": text()]).setValue(random.pick(libraries), forKey: "library")
        case 2, 3, 4:
            let book = context.insert(random.chance(20) ? "Novel" : "Book", ["title": text()])
            if random.chance(40) { _ = setUnique("isbn", of: book, among: books, &random) }
            if !shelves.isEmpty { book.setValue(random.pick(shelves), forKey: "shelf") }
        case 5:
            let tag = context.insert("Tag")
            if !setUnique("name", of: tag, among: tags, &random) { tag.setValue(text(), forKey: "name") }
        case 6 where !tags.isEmpty:
            context.insert("Loan", ["note": text()]).setValue(random.pick(tags), forKey: "tag")
        case 7 where !books.isEmpty,
            8 where !books.isEmpty:
            set("title", of: random.pick(books))
        case 9 where !books.isEmpty:
            let book = random.pick(books)
            let copies = (book.value(forKey: "copies") as? NSNumber)?.intValue ?? 0
            book.setValue(copies + random.below(5) - 1, forKey: "copies")
        case 10 where !books.isEmpty && !shelves.isEmpty:
            random.pick(books).setValue(random.pick(shelves), forKey: "shelf")
        case 11 where !shelves.isEmpty:
            let shelf = random.pick(shelves)
            let members = (shelf.value(forKey: "books") as? NSOrderedSet)?.array ?? []
            shelf.setValue(NSOrderedSet(array: members.shuffled(using: &random)), forKey: "books")
        case 12 where !books.isEmpty && !tags.isEmpty:
            let members = random.pick(books).mutableSetValue(forKey: "tags")
            if random.chance(65) { members.add(random.pick(tags)) } else { members.remove(random.pick(tags)) }
        case 13 where !shelves.isEmpty:
            let (shelf, parent) = (random.pick(shelves), random.pick(shelves))
            if !leads(parent, to: shelf) { shelf.setValue(parent, forKey: "parent") }
        case 14 where books.count > 1: random.pick(books).setValue(random.pick(books), forKey: "prequel")
        case 15 where !books.isEmpty:
            random.pick(books).setValue(Double(random.below(90)), forKey: "latitude")
        case 16, 17:
            let all = try ["Book", "Shelf", "Library", "Tag", "Loan"].flatMap(context.all)
            if !all.isEmpty { delete(random.pick(all), context) }
        case 18 where !books.isEmpty:
            random.pick(books).setValue(random.chance(80) ? random.pick(books) : nil, forKey: "twin")
        case 19 where !tags.isEmpty:
            let members = random.pick(tags).mutableSetValue(forKey: "related")
            if random.chance(75) { members.add(random.pick(tags)) } else { members.remove(random.pick(tags)) }
        case 20 where !context.hasChanges:
            let request = NSBatchUpdateRequest(entityName: "Book")
            request.predicate = NSPredicate(format: "copies > %d", random.below(4))
            request.propertiesToUpdate = ["shelfmark": NSNumber(value: random.below(99))]
            _ = try context.execute(request)
        case 21 where !context.hasChanges:
            let loans = try context.all("Loan")
            guard !loans.isEmpty else { return }
            let loan = random.pick(loans)
            noteDeletion(loan)
            _ = try context.execute(NSBatchDeleteRequest(objectIDs: [loan.objectID]))
        default:
            let loans = try context.all("Loan")
            if !loans.isEmpty { set("note", of: random.pick(loans)) }
        }
    }

    /// Gives an object a value that no other one has here, out of a few that all devices use.
    private func setUnique(
        _ property: String, of object: NSManagedObject, among others: [NSManagedObject],
        _ random: inout SeededGenerator
    ) -> Bool {
        let value = "u\(random.below(6))"
        guard !others.contains(where: { $0.value(forKey: property) as? String == value }) else {
            return false
        }
        object.setValue(value, forKey: property)
        return true
    }

    private func leads(_ shelf: NSManagedObject, to other: NSManagedObject) -> Bool {
        var seen: Set<NSManagedObjectID> = [other.objectID]
        var current: NSManagedObject? = shelf
        while let shelf = current {
            if !seen.insert(shelf.objectID).inserted { return true }
            current = shelf.value(forKey: "parent") as? NSManagedObject
        }
        return false
    }

    private mutating func delete(_ object: NSManagedObject, _ context: NSManagedObjectContext) {
        noteDeletion(object)
        for shelf in (object.entity.name == "Library" ? object.value(forKey: "shelves") as? NSSet : nil) ?? []
        {
            if let shelf = shelf as? NSManagedObject { noteDeletion(shelf) }
        }
        context.delete(object)
    }

    private mutating func noteDeletion(_ object: NSManagedObject) {
        for name in object.entity.attributesByName.keys {
            if let text = object.value(forKey: name) as? String { replaced.insert(text) }
        }
    }
}
