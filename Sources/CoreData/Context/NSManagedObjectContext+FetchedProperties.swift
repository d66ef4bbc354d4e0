import Foundation

extension NSManagedObjectContext {
    /// The result of a fetched property: `$FETCH_SOURCE` is the object, `$FETCHED_PROPERTY` the description.
    final func fetchedPropertyResult(
        _ request: NSFetchRequest<any NSFetchRequestResult>, property: NSFetchedPropertyDescription,
        of source: NSManagedObject
    ) -> NSArray {
        let storage = FetchRequestStorage(request.storage)
        storage.predicate = storage.predicate?.withSubstitutionVariables([
            "FETCH_SOURCE": source, "FETCHED_PROPERTY": property,
        ])
        do {
            return NSArray(array: try fetchResult(storage).boxed)
        } catch {
            programmerError("The fetched property \(property.name) could not be read: \(error)")
        }
    }
}
