public import Foundation
import Synchronization

extension NotificationCenter {
    /// Calls a method of an observer for each notification of a name and a sender; nil stands for any.
    ///
    /// The observer is not kept alive, and the observation ends when it is freed. The method runs where the
    /// notification is posted.
    ///
    /// Unlike Apple's: the selector has to hold its method, as `#selector` in a ported source does; a
    /// selector made of a name alone traps.
    public func addObserver(
        _ observer: Any, selector aSelector: Selector, name aName: Notification.Name?, object anObject: Any?
    ) {
        let method = aSelector.requiredMethod("addObserver(_:selector:name:object:)")
        let observation = SelectorObservation(
            observer: observer as AnyObject, method: method, center: self, name: aName,
            sender: anObject.map { $0 as AnyObject })
        observation.begin(sender: anObject)
    }

    /// Ends all observations of an observer, which may be the token of an observation with a closure.
    public func removeObserver(_ observer: AnyObject) {
        SelectorObservation.remove { $0.observer === observer && $0.center === self }
        removeObserver(observer as Any)
    }

    /// Ends the observations of an observer for a name and a sender; nil stands for any.
    public func removeObserver(_ observer: AnyObject, name aName: Notification.Name?, object anObject: Any?) {
        let sender = anObject.map { $0 as AnyObject }
        SelectorObservation.remove { observation in
            observation.observer === observer && observation.center === self
                && (aName == nil || observation.name == aName)
                && (sender == nil || observation.sender === sender)
        }
        removeObserver(observer as Any, name: aName, object: anObject)
    }
}

/// An observation by selector, with the token of the closure that Foundation calls for it.
private final class SelectorObservation: @unchecked Sendable {
    private(set) weak var observer: AnyObject?
    private(set) weak var center: NotificationCenter?
    let name: Notification.Name?
    private(set) weak var sender: AnyObject?
    private let method: SelectedMethod
    private var token: (any NSObjectProtocol)?

    private static let all = Mutex<[SelectorObservation]>([])

    init(
        observer: AnyObject, method: SelectedMethod, center: NotificationCenter, name: Notification.Name?,
        sender: AnyObject?
    ) {
        self.observer = observer
        self.method = method
        self.center = center
        self.name = name
        self.sender = sender
    }

    /// Begins to observe, and ends observations whose observers were freed.
    func begin(sender: Any?) {
        token = center?.addObserver(forName: name, object: sender, queue: nil) { [self] notification in
            if let observer { method.call(observer, notification) }
        }
        Self.remove { _ in false }
        Self.all.withLock { $0.append(self) }
    }

    /// Ends observations that match or whose observers were freed.
    ///
    /// It looks at observers outside of the lock: one that is freed meanwhile may call this from its
    /// `deinit`.
    static func remove(where isMatch: (SelectorObservation) -> Bool) {
        let removed = all.withLock { $0 }.filter { $0.observer == nil || isMatch($0) }
        guard !removed.isEmpty else { return }
        let identities = Set(removed.map(ObjectIdentifier.init))
        all.withLock { all in all.removeAll { identities.contains(ObjectIdentifier($0)) } }
        for observation in removed {
            if let token = observation.token { observation.center?.removeObserver(token as Any) }
        }
    }
}
