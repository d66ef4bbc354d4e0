public import Foundation

/// A property whose value is the result of a fetch request, fetched at first use and kept until the object is
/// refreshed or the property's `userInfo` changes.
///
/// In its predicate `$FETCH_SOURCE` stands for the object that has the property and `$FETCHED_PROPERTY` for
/// this description. It may lead to objects of another store, which a relationship cannot.
open class NSFetchedPropertyDescription: NSPropertyDescription {
    /// The request; a model with a fetched property without a request cannot be used.
    public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { willSet { requireMutable() } }

    /// Returns a copy that belongs to no entity and can be changed.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone) as! NSFetchedPropertyDescription
        copy.fetchRequest = fetchRequest?.copy() as? NSFetchRequest<any NSFetchRequestResult>
        return copy
    }

    /// Returns whether another fetched property has equal contents.
    open override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? NSFetchedPropertyDescription else { return false }
        return fetchRequest == other.fetchRequest
    }
}
