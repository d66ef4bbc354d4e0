import Foundation
import CoreData

extension Employee {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Employee> {
        return NSFetchRequest<Employee>(entityName: "Employee")
    }

    @NSManaged public var hired: Date?
    @NSManaged public var name: String?
    @NSManaged public var salary: Double
    @NSManaged public var boss: Employee?
    @NSManaged public var office: Office?
    @NSManaged public var reports: NSSet?
    @NSManaged private var primitiveName: String?; @NSManaged fileprivate(set) var primitiveSalary: Double

    public func rename(silently name: String) { primitiveName = name }
}

// MARK: Generated accessors for reports
extension Employee {

    @objc(addReportsObject:)
    @NSManaged public func addToReports(_ value: Employee)

    @objc(removeReportsObject:)
    @NSManaged public func removeFromReports(_ value: Employee)

    @objc(addReports:)
    @NSManaged public func addToReports(_ values: NSSet)

    @objc(removeReports:)
    @NSManaged public func removeFromReports(_ values: NSSet)

}

extension Employee: Identifiable {

}
