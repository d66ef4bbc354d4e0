// On Apple's systems a request may be cast to a fetch request of any result type. Here generic classes with
// different arguments are different classes, so no such cast succeeds.
extension NSPersistentStoreRequest {
    /// Returns this fetch request with another result type, instead of a cast.
    ///
    /// Traps for requests that do not fetch.
    ///
    /// The two share their settings: a change to one shows in the other. If the request has the type already,
    /// the method returns the request itself.
    ///
    /// Unlike Apple's: an addition, since `request as! NSFetchRequest<Person>` compiles with a warning here,
    /// and fails.
    public func retyped<Other>(to type: Other.Type = Other.self) -> NSFetchRequest<Other> {
        guard let request = retyped(as: type) else {
            programmerError("Could not retype \(Swift.type(of: self)), which is no fetch request.")
        }
        return request
    }

    /// Returns this fetch request with another result type, as `retyped(to:)` does; nil for requests that do
    /// not fetch.
    public func retyped<Other>(as type: Other.Type) -> NSFetchRequest<Other>? {
        if let same = self as? NSFetchRequest<Other> { return same }
        return (self as? any FetchRequestStoring).map { NSFetchRequest(sharing: $0.storage) }
    }
}

extension Optional where Wrapped: NSPersistentStoreRequest {
    /// Returns the wrapped fetch request with another result type.
    ///
    /// Traps on nil, as a forced cast does.
    public func retyped<Other>(to type: Other.Type = Other.self) -> NSFetchRequest<Other> {
        guard let self else { programmerError("Could not retype nil to a fetch request.") }
        return self.retyped(to: type)
    }

    /// Returns the wrapped fetch request with another result type; nil for nil and for requests that do not
    /// fetch.
    public func retyped<Other>(as type: Other.Type) -> NSFetchRequest<Other>? {
        flatMap { $0.retyped(as: type) }
    }
}

extension NSManagedObject {
    /// Makes the request of `fetchRequest()` with Apple's type, for any result. Only ported sources call it.
    public static func requestOfAny() -> NSFetchRequest<any NSFetchRequestResult> { fetchRequest() }
}
