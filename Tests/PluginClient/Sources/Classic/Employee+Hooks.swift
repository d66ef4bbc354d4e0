import CoreData

// In another file than the class.
extension Employee {
    /// Whoever is new begins today.
    public override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(Date(), forKey: #keyPath(Employee.hired))
    }

    public override var description: String { "Employee \(name ?? "?")" }
}
