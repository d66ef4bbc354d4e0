import Foundation

extension NSManagedObjectContext {
    /// Returns the result of a fetched property: `$FETCH_SOURCE` is the object, `$FETCHED_PROPERTY` the
    /// description.
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

/// The result of a fetched property, and how often the user info of its description had been set by then.
final class FetchedPropertyResult {
    let objects: NSArray
    let revision: Int

    init(objects: NSArray, revision: Int) {
        self.objects = objects
        self.revision = revision
    }
}
