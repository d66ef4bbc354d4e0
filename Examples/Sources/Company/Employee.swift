import CoreData

/// An employee whose note is stored sealed and read in the clear.
@objc(Employee)
public final class Employee: NSManagedObject, Decodable {
    @NSManaged public var name: String
    @NSManaged public var hired: Date?
    @NSManaged public var note: String?
    @NSManaged public var rank: Int16
    @NSManaged public var skills: [String]?
    @NSManaged public var department: Department?
    @NSManaged fileprivate var sealedNote: Data?
    @NSManaged fileprivate var primitiveNote: String?
    @NSManaged fileprivate var primitiveSealedNote: Data?

    private enum CodingKeys: String, CodingKey {
        case name, note, rank, skills
    }

    public convenience init(from decoder: any Decoder) throws {
        self.init(context: try decoder.managedObjectContext())
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        note = try values.decodeIfPresent(String.self, forKey: .note)
        rank = try values.decodeIfPresent(Int16.self, forKey: .rank) ?? 0
        skills = try values.decodeIfPresent([String].self, forKey: .skills)
    }

}

// MARK: Life cycle

extension Employee {
    public override func awakeFromInsert() {
        super.awakeFromInsert()
        hired = Date()
    }

    public override func awakeFromFetch() {
        super.awakeFromFetch()
        primitiveNote = primitiveSealedNote.flatMap(NoteCipher.open)
    }

    public override func willSave() {
        super.willSave()
        // Sealing the same note again gives other bytes, and the save would never settle.
        guard note != sealedNote.flatMap(NoteCipher.open) else { return }
        primitiveSealedNote = note.flatMap(NoteCipher.seal)
    }
}

@objc(Department)
public class Department: NSManagedObject, Decodable {
    @NSManaged public var name: String
    @NSManaged public var employees: Set<Employee>

    private enum CodingKeys: String, CodingKey {
        case name, employees
    }

    public required convenience init(from decoder: any Decoder) throws {
        self.init(context: try decoder.managedObjectContext())
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        employees = Set(try values.decodeIfPresent([Employee].self, forKey: .employees) ?? [])
    }

    public convenience init(name: String, in context: NSManagedObjectContext) {
        self.init(context: context)
        self.name = name
    }

}

// MARK: Generated accessors for employees

extension Department {
    @objc(addEmployeesObject:)
    @NSManaged public func addToEmployees(_ value: Employee)

    @objc(removeEmployeesObject:)
    @NSManaged public func removeFromEmployees(_ value: Employee)

    @objc(addEmployees:)
    @NSManaged public func addToEmployees(_ values: NSSet)
}
