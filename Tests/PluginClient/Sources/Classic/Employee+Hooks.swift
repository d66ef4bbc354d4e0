import CoreData

// In another file than the class.
extension Employee {
    /// Sets the first day of a new employee to today.
    public override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(Date(), forKey: #keyPath(Employee.hired))
    }

    @objc private func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        if value.pointee as? String == "" { throw NSError(domain: "Classic", code: 2) }
    }

    @objc private var shout: String { (name ?? "").uppercased() }

    public override var description: String { "Employee \(name ?? "?")" }
}
