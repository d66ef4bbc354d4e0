import CoreData
import Foundation

/// An entity class of a company; it logs the framework's calls in its context's log, if there is one.
final class Employee: NSManagedObject {
    private static let nameProperty = ManagedProperty("name")
    private static let salaryProperty = ManagedProperty("salary")
    private static let bornProperty = ManagedProperty("born")
    private static let bonusProperty = ManagedProperty("bonus")
    private static let departmentProperty = ManagedProperty("department")

    var name: String? {
        get { ManagedAccess.read(self, Self.nameProperty) }
        set { ManagedAccess.write(self, Self.nameProperty, newValue) }
    }
    var salary: Int64 {
        get { ManagedAccess.read(self, Self.salaryProperty) }
        set { ManagedAccess.write(self, Self.salaryProperty, newValue) }
    }
    var born: Date? {
        get { ManagedAccess.read(self, Self.bornProperty) }
        set { ManagedAccess.write(self, Self.bornProperty, newValue) }
    }
    var bonus: NSDecimalNumber? {
        get { ManagedAccess.read(self, Self.bonusProperty) }
        set { ManagedAccess.write(self, Self.bonusProperty, newValue) }
    }
    var department: NSManagedObject? {
        get { ManagedAccess.read(self, Self.departmentProperty) }
        set { ManagedAccess.write(self, Self.departmentProperty, newValue) }
    }

    /// Kept, since a deleted object is notified of the save after it has left its context.
    private var keptLog: CallLog?
    private var log: CallLog? {
        if keptLog == nil { keptLog = CallLog.of(self) }
        return keptLog
    }

    private func note(_ call: String) { log?.calls.append(call) }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        note("awakeFromInsert")
    }
    override func awakeFromFetch() {
        super.awakeFromFetch()
        note("awakeFromFetch")
    }
    override func willSave() {
        super.willSave()
        note("willSave")
    }
    override func didSave() {
        super.didSave()
        note("didSave")
    }
    override func prepareForDeletion() {
        super.prepareForDeletion()
        note("prepareForDeletion")
        log?.prepareForDeletion(self)
    }
    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        note("willTurnIntoFault")
    }
    override func validateForInsert() throws {
        note("validateForInsert")
        try super.validateForInsert()
    }
}
