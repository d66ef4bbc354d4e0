public import Foundation

extension Array {
    /// Returns the elements that satisfy a predicate.
    ///
    /// Traps on what the predicate cannot be evaluated for.
    public func filtered(using predicate: NSPredicate) -> [Element] {
        filter { predicate.evaluate(with: $0) }
    }
}

extension Set {
    /// Returns the elements that satisfy a predicate.
    ///
    /// Traps on what the predicate cannot be evaluated for.
    public func filtered(using predicate: NSPredicate) -> Set<Element> {
        filter { predicate.evaluate(with: $0) }
    }
}
