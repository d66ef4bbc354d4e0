import CoreData

extension NSPredicate {
    /// This predicate and another one; prints as its format.
    func and(_ other: NSPredicate) -> NSPredicate {
        if self == NSPredicate(value: true) { return other }
        return CoreData.NSCompoundPredicate(andPredicateWithSubpredicates: [self, other])
    }
}
