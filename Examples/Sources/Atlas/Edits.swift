import CoreData

/// Edits and deletions, saved at once, and what the rules of the model make of them.
struct Edits {
    let context: NSManagedObjectContext

    /// Renames a country, and tells what changed.
    func rename(country alpha2: String, to name: String) throws -> [String: Any] {
        let country = try find(Country.self, "alpha2", alpha2)
        country.name = name
        let changes = country.changedValues()
        try context.save()
        return changes
    }

    /// Puts a subdivision inside another.
    func move(subdivision code: String, into parentCode: String) throws {
        try find(Subdivision.self, "code", code).parent = find(Subdivision.self, "code", parentCode)
        try context.save()
    }

    /// Deletes a country, and tells how many subdivisions went along: its rule is to cascade.
    func delete(country alpha2: String) throws -> Int {
        let before = try context.count(for: Subdivision.fetchRequest())
        context.delete(try find(Country.self, "alpha2", alpha2))
        try context.save()
        return before - (try context.count(for: Subdivision.fetchRequest()))
    }

    /// Deletes a subdivision, and tells how many lost their parent: its rule is to nullify.
    func delete(subdivision code: String) throws -> Int {
        let subdivision = try find(Subdivision.self, "code", code)
        let children = subdivision.children as? Set<Subdivision> ?? []
        context.delete(subdivision)
        try context.save()
        return children.count { $0.parent == nil }
    }

    /// Deletes a kind of language. Its rule is to deny as long as there are languages of the kind.
    func delete(languageKind code: String) throws {
        try saveOrUndo { context.delete(try find(LanguageKind.self, "code", code)) }
    }

    func insertCountry(alpha2: String, alpha3: String, name: String, number: Int16) throws {
        try saveOrUndo {
            let country = Country(context: context)
            country.alpha2 = alpha2
            country.alpha3 = alpha3
            country.name = name
            country.number = number
        }
    }

    private func saveOrUndo(_ change: () throws -> Void) throws {
        do {
            try change()
            try context.save()
        } catch {
            context.rollback()
            throw error
        }
    }

    func find<Entity: NSManagedObject>(_ type: Entity.Type, _ key: String, _ value: String) throws -> Entity {
        let request = NSFetchRequest<Entity>(entityName: String(describing: type))
        request.predicate = NSPredicate(format: "%K == %@", key, value)
        guard let object = try context.fetch(request).first else {
            throw NotFound(type: "\(type)", value: value)
        }
        return object
    }

    struct NotFound: Error, CustomStringConvertible {
        let type: String
        let value: String
        var description: String { "The atlas has no \(type) \(value)." }
    }
}
