// On Apple's systems a request may be cast to a fetch request of any result type. Generic classes of Swift with different
// arguments are different classes, so no such cast succeeds here.
extension NSPersistentStoreRequest {
    /// The same fetch request with another result type, instead of a cast: changes to one show in the other. The request
    /// itself if it has that type. Traps for other requests.
    public func retyped<Other>(to type: Other.Type = Other.self) -> NSFetchRequest<Other> {
        guard let request = retyped(as: type) else {
            programmerError("Could not retype \(Swift.type(of: self)), which is no fetch request.")
        }
        return request
    }

    /// The same fetch request with another result type; nil for other requests.
    public func retyped<Other>(as type: Other.Type) -> NSFetchRequest<Other>? {
        if let same = self as? NSFetchRequest<Other> { return same }
        return (self as? any FetchRequestStoring).map { NSFetchRequest(sharing: $0.storage) }
    }
}

extension Optional where Wrapped: NSPersistentStoreRequest {
    /// As of the request that is there, which a forced cast looks for, too. Traps without one.
    public func retyped<Other>(to type: Other.Type = Other.self) -> NSFetchRequest<Other> {
        guard let self else { programmerError("Could not retype nil to a fetch request.") }
        return self.retyped(to: type)
    }

    public func retyped<Other>(as type: Other.Type) -> NSFetchRequest<Other>? {
        flatMap { $0.retyped(as: type) }
    }
}

extension NSManagedObject {
    /// A request for the class's entity, whatever its results are: what `fetchRequest()` is on Apple's systems where
    /// nothing else is said, and ported sources call then.
    public static func requestOfAny() -> NSFetchRequest<any NSFetchRequestResult> { fetchRequest() }
}
