import Foundation
import CoreData

@objc(Employee)
public class Employee: NSManagedObject {
    /// Derived when it is asked for.
    @objc public dynamic var initial: String { String((name ?? "?").prefix(1)) }

    @objc func validateSalary(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let salary = value.pointee as? Double, salary < 0 else { return }
        throw NSError(domain: "Classic", code: 1)
    }
}

@objc(CLSBadge)
public class Badge: NSManagedObject {
    @NSManaged public var number: Int32
}

extension Badge {
    public override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(7, forKey: #keyPath(Badge.number))
    }
}
