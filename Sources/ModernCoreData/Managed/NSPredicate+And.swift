import CoreData

extension NSPredicate {
    /// Returns this predicate and another one, joined by "and". Its description is a predicate format.
    func and(_ other: NSPredicate) -> NSPredicate {
        if self == NSPredicate(value: true) { return other }
        return CoreData.NSCompoundPredicate(andPredicateWithSubpredicates: [self, other])
    }
}
