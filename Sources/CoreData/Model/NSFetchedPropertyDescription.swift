public import Foundation

/// A property whose value is the result of a fetch request, read when first asked for.
///
/// In its predicate `$FETCH_SOURCE` stands for the object that has the property and
/// `$FETCHED_PROPERTY` for this description.
open class NSFetchedPropertyDescription: NSPropertyDescription {
    public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { willSet { requireMutable() } }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone) as! NSFetchedPropertyDescription
        copy.fetchRequest = fetchRequest?.copy() as? NSFetchRequest<any NSFetchRequestResult>
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? NSFetchedPropertyDescription else { return false }
        return fetchRequest == other.fetchRequest
    }
}
