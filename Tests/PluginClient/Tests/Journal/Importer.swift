import CoreData

/// An article as a service sends it.
nonisolated struct Article: Codable, Sendable {
    let title: String
    let tags: [String]
}

/// Imports with a context of its own, one call after the other.
actor Importer {
    private let context: NSManagedObjectContext
    private var imported = 0

    init(_ container: NSPersistentContainer) {
        context = container.newBackgroundContext()
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    }

    var count: Int { imported }

    /// Imports articles in a block that uses the actor's context, so that the compiler isolates it to the
    /// actor.
    func add(_ articles: [Article]) async throws -> [NSManagedObjectID] {
        let ids = try await context.perform {
            let pages = articles.map { article in
                let page = Page(context: self.context)
                page.title = article.title
                page.tags = Set(article.tags.map { self.tag($0) })
                return page
            }
            try self.context.save()
            return pages.map(\.objectID)
        }
        imported += ids.count
        return ids
    }

    private nonisolated func tag(_ name: String) -> Tag {
        let tag = Tag(context: context)
        tag.name = name
        return tag
    }
}
