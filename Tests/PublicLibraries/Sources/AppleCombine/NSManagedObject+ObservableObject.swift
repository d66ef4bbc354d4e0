public import CoreData

extension NSManagedObject {
    /// Sends when the context tells of changes of the object, which is after them; Apple's sends before.
    public var objectWillChange: AnyPublisher<Void, Never> {
        let keys = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey, NSDeletedObjectsKey]
        return NotificationCenter.default.publisher(
            for: .NSManagedObjectContextObjectsDidChange, object: managedObjectContext
        )
        .filter { [weak self] notification in
            guard let self else { return false }
            return keys.contains { key in
                (notification.userInfo?[key] as? Set<NSManagedObject>)?.contains(self) == true
            }
        }
        .map { _ in }
        .eraseToAnyPublisher()
    }
}
