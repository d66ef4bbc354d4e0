public import CoreData

extension NSManagedObject {
    /// Sends when the context reports changes of the object, which is after the change; Apple's sends before
    /// it.
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
