import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

/// A test of single objects against a request: whether an object is among the results, and where.
struct ResultTest {
    /// The request as it was when the test was made.
    let query: FetchQuery
    let entities: Range<EntityIndex>
    private let evaluator: NodeEvaluator?
    private let comparator: CoreDataPredicates.SortComparator
    private let sectionKeyPath: String?
    /// The columns that decide whether an object is among the results, and where.
    private let deciding: ColumnsRead
    private let ordering: ColumnsRead
    private let naming: ColumnsRead

    init(
        _ request: FetchRequestStorage, sectionKeyPath: String?, in context: NSManagedObjectContext
    ) throws {
        let coordinator = context.requiredCoordinator
        query = try request.query(in: coordinator.frozen, asking: coordinator, shape: .references)
        entities = coordinator.frozen.compiled[query.entity]
            .family(includingSubentities: query.includesSubentities)
        evaluator = try query.predicate.map { predicate in try NodeEvaluator(predicate) }
        comparator = CoreDataPredicates.SortComparator(query.sort)
        self.sectionKeyPath = sectionKeyPath
        let runtimes = entities.map(coordinator.frozen.runtime)
        deciding = ColumnsRead(query.predicate.map(\.pathsRead) ?? [], of: runtimes)
        ordering = ColumnsRead(query.sort.pathsRead, of: runtimes)
        naming = ColumnsRead(nameOf: sectionKeyPath, of: runtimes)
    }

    /// Returns whether a change can have made an object a result, or no result any more.
    func mayDecide(_ change: ChangedObjects.Change) -> Bool { deciding.mayDiffer(after: change) }

    /// Returns whether a change can have given a result another place.
    func mayMove(_ change: ChangedObjects.Change) -> Bool {
        ordering.mayDiffer(after: change) || naming.mayDiffer(after: change)
    }

    /// Returns whether an object of the entity is among the results.
    ///
    /// It reads the object, which may show that its row is gone.
    private func matches(_ object: NSManagedObject) throws -> Bool {
        try !object.isDeleted && evaluator?.matches(object) ?? true && !object.isDeleted
    }

    typealias Change = ResultListUpdate<NSObject>.Change

    /// Returns the change that brings the object to its place in the results, or nil if it is not among them.
    ///
    /// It reads the object.
    func change(of object: NSManagedObject) throws -> Change? {
        try matches(object) ? Change(element: object, section: sectionName(of: object)) : nil
    }

    /// Returns the change of an object that is not, or no longer, to be among the results.
    func removal(of object: NSManagedObject) -> Change { Change(element: object, section: nil) }

    func order(_ left: NSObject, _ right: NSObject) throws -> Int {
        guard let left = left as? NSManagedObject, let right = right as? NSManagedObject else { return 0 }
        return try comparator.order(.object(left), .object(right))
    }

    /// Returns the name of the section that an object belongs to: the value at the key path, as text.
    ///
    /// The name is empty if the value is nil or there is no key path.
    func sectionName(of object: NSObject) -> String {
        sectionKeyPath.map { Self.sectionName(object.value(forKeyPath: $0)) } ?? ""
    }

    static func sectionName(_ value: Any?) -> String {
        switch value {
        case nil: return ""
        case let text as String: return text
        case let number as NSNumber: return number.stringValue
        case let value?: return value is NSNull ? "" : "\(value)"
        }
    }
}
