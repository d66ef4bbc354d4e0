import CoreData

/// A model with every kind of property and rule that is synced.
enum LibraryModel {
    static func make(_ change: (inout [String: NSEntityDescription]) -> Void = { _ in })
        -> NSManagedObjectModel
    {
        var entities: [String: NSEntityDescription] = [:]
        for name in ["Library", "Shelf", "Book", "Novel", "Tag", "Loan"] {
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = "NSManagedObject"
            entities[name] = entity
        }
        let library = entities["Library"]!, shelf = entities["Shelf"]!, book = entities["Book"]!
        let novel = entities["Novel"]!, tag = entities["Tag"]!, loan = entities["Loan"]!
        library.properties = [attribute("name", .stringAttributeType, default: "", isOptional: false)]
        shelf.properties = [attribute("name", .stringAttributeType)]
        book.properties = [
            attribute("title", .stringAttributeType), attribute("isbn", .stringAttributeType),
            attribute("copies", .integer64AttributeType, info: ["SyncMerge": "counter"]),
            attribute("rating", .integer16AttributeType, info: ["SyncMerge": "max"]),
            attribute("latitude", .doubleAttributeType, info: ["SyncGroup": "place"]),
            attribute("longitude", .doubleAttributeType, info: ["SyncGroup": "place"]),
            attribute("price", .decimalAttributeType), attribute("weight", .floatAttributeType),
            attribute("isLent", .booleanAttributeType), attribute("bought", .dateAttributeType),
            attribute("cover", .binaryDataAttributeType), attribute("token", .UUIDAttributeType),
            attribute("link", .URIAttributeType), attribute("shelfmark", .integer32AttributeType),
        ]
        book.uniquenessConstraints = [["isbn"]]
        tag.properties = [attribute("name", .stringAttributeType, default: "?", isOptional: false)]
        tag.uniquenessConstraints = [["name"]]
        loan.properties = [attribute("note", .stringAttributeType)]
        loan.userInfo = ["SyncDelete": "editsWin"]
        book.subentities = [novel]
        relate(
            toMany("shelves", shelf, .cascadeDeleteRule), of: library,
            toOne("library", library, isOptional: false), of: shelf)
        let books = toMany("books", book)
        books.isOrdered = true
        books.maxCount = 40
        relate(books, of: shelf, toOne("shelf", shelf), of: book)
        let parent = toOne("parent", shelf)
        parent.userInfo = ["SyncAcyclic": "YES"]
        relate(parent, of: shelf, toMany("children", shelf), of: shelf)
        relate(toOne("prequel", book), of: book, toOne("sequel", book), of: book)
        let twin = toOne("twin", book)
        twin.inverseRelationship = twin
        book.properties.append(twin)
        let related = toMany("related", tag)
        related.inverseRelationship = related
        related.maxCount = 3
        tag.properties.append(related)
        relate(toMany("tags", tag), of: book, toMany("books", book), of: tag)
        relate(toMany("loans", loan, .denyDeleteRule), of: tag, toOne("tag", tag), of: loan)
        change(&entities)
        let model = NSManagedObjectModel()
        model.entities = entities.values.sorted { $0.name! < $1.name! }
        return model
    }

    static func attribute(
        _ name: String, _ type: NSAttributeType, default value: Any? = nil, isOptional: Bool = true,
        info: [String: String] = [:]
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.defaultValue = value
        attribute.isOptional = isOptional
        attribute.userInfo = info
        return attribute
    }

    static func toOne(
        _ name: String, _ target: NSEntityDescription, isOptional: Bool = true
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = target
        relationship.maxCount = 1
        relationship.isOptional = isOptional
        return relationship
    }

    static func toMany(
        _ name: String, _ target: NSEntityDescription, _ rule: NSDeleteRule = .nullifyDeleteRule
    ) -> NSRelationshipDescription {
        let relationship = toOne(name, target)
        relationship.maxCount = 0
        relationship.deleteRule = rule
        return relationship
    }

    static func relate(
        _ one: NSRelationshipDescription, of entity: NSEntityDescription, _ other: NSRelationshipDescription,
        of otherEntity: NSEntityDescription
    ) {
        one.inverseRelationship = other
        other.inverseRelationship = one
        entity.properties.append(one)
        otherEntity.properties.append(other)
    }
}
