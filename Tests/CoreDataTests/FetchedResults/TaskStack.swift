import CoreData
import Foundation

/// Tasks with a title, a rank and the name of a group.
enum TaskStack {
    static let sketch = """
        Task
          title string
          rank int64 = 0
          group string
          isDone bool = false
        """

    static func make() throws -> TestStack {
        try TestStack(
            """
            \(sketch)
            Chore: Task
            Note
            """)
    }

    typealias Controller = NSFetchedResultsController<NSManagedObject>

    /// Open tasks by group and rank.
    static func request(_ format: String? = "isDone == NO") -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Task")
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = ["group", "rank", "title"].map {
            NSSortDescriptor(key: $0, ascending: true)
        }
        return request
    }

    static func controller(
        _ context: NSManagedObjectContext, isSectioned: Bool = true, cacheName: String? = nil
    ) -> Controller {
        Controller(
            fetchRequest: request(), managedObjectContext: context,
            sectionNameKeyPath: isSectioned ? "group" : nil, cacheName: cacheName)
    }

    static func title(_ object: Any) -> String {
        (object as? NSManagedObject)?.value(forKey: "title") as? String ?? "nil"
    }
}

extension TestStack {
    @discardableResult
    func task(_ title: String, _ group: String, rank: Int, entity: String = "Task") -> NSManagedObject {
        insert(entity, ["title": title, "group": group, "rank": rank])
    }
}

/// The calls of a delegate, as text and as the batches of a list view.
class DelegateRecorder: NSObject, NSFetchedResultsControllerDelegate {
    typealias Controller = NSFetchedResultsController<any NSFetchRequestResult>

    private(set) var calls: [String] = []
    private(set) var sectionSizes: [Int] = []
    private(set) var batch = TableMirror<NSManagedObject>.Batch()
    var didChange: (Controller, TableMirror<NSManagedObject>.Batch) -> Void = { _, _ in }

    func take() -> [String] {
        defer { calls = [] }
        return calls
    }

    func controllerWillChangeContent(_ controller: Controller) {
        calls.append("will \(controller.fetchedObjects?.count ?? -1)")
        batch = .init()
    }

    func controller(
        _ controller: Controller, didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) {
        calls.append("section \(sectionInfo.name) \(type) \(sectionIndex)")
        sectionSizes.append(sectionInfo.numberOfObjects)
        if type == .insert {
            batch.insertedSections.append((sectionIndex, sectionInfo.name))
        } else {
            batch.deletedSections.append(sectionIndex)
        }
    }

    func controller(
        _ controller: Controller, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        let path = [indexPath, newIndexPath].map { $0.map { "\($0.section).\($0.row)" } ?? "-" }
        calls.append("\(TaskStack.title(anObject)) \(type) \(path.joined(separator: " "))")
        guard let object = anObject as? NSManagedObject else { return }
        switch (type, indexPath, newIndexPath) {
        case (.delete, let old?, nil): batch.deleted.append(old)
        case (.insert, nil, let new?): batch.inserted.append((new, object))
        case (.move, let old?, let new?): batch.moved.append((old, new, object))
        case (.update, let old?, let new?): batch.updated.append((old, new, object))
        default: calls.append("places of \(type) are wrong")
        }
    }

    func controllerDidChangeContent(_ controller: Controller) {
        calls.append("did \(controller.fetchedObjects?.count ?? -1)")
        didChange(controller, batch)
    }
}
