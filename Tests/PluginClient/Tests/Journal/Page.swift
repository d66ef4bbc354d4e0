import CoreData

/// Written by hand: what belongs to no actor says so where everything belongs to the main actor by default.
nonisolated final class Page: NSManagedObject, Identifiable {
    enum Priority: Int16 { case low, high }

    @NSManaged var id: UUID
    @NSManaged var title: String?
    @NSManaged var created: Date
    @NSManaged var priority: Priority
    @NSManaged var tags: Set<Tag>
    @NSManaged var attachments: Set<Attachment>

    override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(UUID(), forKey: "id")
        setPrimitiveValue(Date(), forKey: "created")
    }

    static func titled(_ title: String) -> NSFetchRequest<Page> {
        let request = NSFetchRequest<Page>(entityName: "Page")
        request.predicate = NSPredicate(format: "title == %@", title)
        return request
    }

    static func byTitle() -> NSFetchRequest<Page> {
        let request = NSFetchRequest<Page>(entityName: "Page")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Page.title, ascending: true)]
        return request
    }
}
