import CoreData
import Foundation

/// Notes and letters with indexed texts, and their authors.
enum SearchFixtures {
    static func text(_ name: String, isIndexed: Bool = true) -> NSAttributeDescription {
        let attribute = ModelFixtures.attribute(name, .stringAttributeType)
        attribute.isFullTextIndexed = isIndexed
        return attribute
    }

    static func model(isIndexed: Bool = true) -> NSManagedObjectModel {
        let indexed = isIndexed ? "full-text" : ""
        return ModelSketch(
            """
            Person
              name string \(indexed)
              town string
              notes ->> Note.author cascade
            Note
              title string \(indexed)
              body string \(indexed)
              pages int32
              draft string transient
              author -> Person.notes
            Letter: Note
              address string \(indexed)
            """
        ).model
    }

    /// Inserts Ada and Bo with their notes, and a letter without author.
    static func fill(_ context: NSManagedObjectContext) {
        let ada = context.insert("Person", ["name": "Ada Löwe", "town": "Bonn"])
        let bo = context.insert("Person", ["name": "Bo"])
        let notes: [[String: Any]] = [
            ["title": "Quick foxes", "body": "The quick brown fox jumps.", "author": ada, "pages": 1],
            ["title": "Lazy dogs", "body": "Quickly it jumps over the lazy dog.", "author": ada, "pages": 2],
            ["title": "Crème brûlée", "body": "Brown sugar, cream, eggs", "author": bo, "pages": 3],
            ["title": "Nothing", "pages": 4],
        ]
        for note in notes { _ = context.insert("Note", note) }
        _ = context.insert("Letter", ["title": "Invitation", "address": "Fox Lane 7, London", "pages": 5])
    }
}
