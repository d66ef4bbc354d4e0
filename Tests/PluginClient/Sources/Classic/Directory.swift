import CoreData
import UIKit

@objc public protocol DirectoryDelegate {
    func directoryDidLoad(_ names: [String])
}

@objcMembers
public final class Directory: NSObject {
    public weak var delegate: DirectoryDelegate?
    private let context: NSManagedObjectContext

    public static let bossCity = #keyPath(Employee.boss.office.city)
    public static let nameKey = NSStringFromSelector(#selector(getter: Employee.name))
    public static let operation = #keyPath(Operation.isReady)

    public private(set) var changes = 0

    public init(context: NSManagedObjectContext) {
        self.context = context
        super.init()
        NotificationCenter.default.addObserver(
            self, selector: #selector(contextChanged(_:)),
            name: .NSManagedObjectContextObjectsDidChange, object: context)
    }

    deinit {
        NotificationCenter.default.removeObserver(self)
    }

    @objc private func contextChanged(_ notification: Notification) {
        changes += (notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0
    }

    public func badges() throws -> [NSDictionary] {
        let request = Badge.fetchRequest()
        request.resultType = .dictionaryResultType
        return try context.fetch(request) as? [NSDictionary] ?? []
    }

    /// By name, as file managers sort names.
    public func load(in city: String) throws -> [Employee] {
        let request: NSFetchRequest<Employee> = Employee.fetchRequest()
        request.predicate = NSPredicate(format: "%K == %@", #keyPath(Employee.office.city), city)
        request.sortDescriptors = [
            NSSortDescriptor(
                key: #keyPath(Employee.name), ascending: true,
                selector: #selector(NSString.localizedStandardCompare(_:)))
        ]
        let found = try context.fetch(request)
        delegate?.directoryDidLoad(found.compactMap { $0.value(forKey: #keyPath(Employee.name)) as? String })
        return found
    }
}
