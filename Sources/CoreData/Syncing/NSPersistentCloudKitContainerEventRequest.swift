public import Foundation

/// A request for the events of an `NSPersistentCloudKitContainer`, which a context of it executes.
///
/// Unlike Apple's: a coordinator keeps its last thousand events, and none from an earlier run of the program.
open class NSPersistentCloudKitContainerEventRequest: NSPersistentStoreRequest {
    /// The form of the result: events unless set.
    open var resultType = NSPersistentCloudKitContainerEventResult.ResultType.events

    private var date: Date?
    private var event: NSPersistentCloudKitContainer.Event?
    private var fetch: NSFetchRequest<any NSFetchRequestResult>?

    /// Makes a request for all events.
    public required override init() {
        super.init()
    }

    /// Returns a request for the events that began after a date.
    open class func fetchEvents(after date: Date) -> Self {
        let request = self.init()
        request.date = date
        return request
    }

    /// Returns a request for the events behind one; all without one, or if it is forgotten.
    open class func fetchEvents(after event: NSPersistentCloudKitContainer.Event?) -> Self {
        let request = self.init()
        request.event = event
        return request
    }

    /// Returns a request for the events that a request finds which `fetchRequestForEvents()` has made: its
    /// predicate, sort descriptors, offset and limit count.
    open class func fetchEvents(
        matching fetchRequest: NSFetchRequest<any NSFetchRequestResult>
    ) -> Self {
        let request = self.init()
        request.fetch = fetchRequest
        return request
    }

    /// Returns a request to be given conditions on the properties of events: `type`, `storeIdentifier`,
    /// `startDate`, `endDate`, `succeeded`, `identifier`.
    open class func fetchRequestForEvents() -> NSFetchRequest<any NSFetchRequestResult> {
        NSFetchRequest(entityName: "NSPersistentCloudKitContainerEvent")
    }

    /// The kind of the request: a fetch.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// Returns a copy of the request.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = Swift.type(of: self).init()
        copy.affectedStores = affectedStores
        copy.resultType = resultType
        (copy.date, copy.event, copy.fetch) = (date, event, fetch)
        return copy
    }

    /// Returns the events of a log that the request asks for.
    final func result(from log: SyncLog) -> NSPersistentCloudKitContainerEventResult {
        var events = log.events
        if let date { events.removeAll { $0.startDate <= date } }
        if let event, let index = events.firstIndex(where: { $0.identifier == event.identifier }) {
            events.removeFirst(index + 1)
        }
        if let affectedStores {
            let stores = Set(affectedStores.compactMap(\.identifier))
            events.removeAll { !stores.contains($0.storeIdentifier) }
        }
        if let fetch { events = found(by: fetch, in: events) }
        return NSPersistentCloudKitContainerEventResult(events, resultType)
    }

    private func found(
        by fetch: NSFetchRequest<any NSFetchRequestResult>, in events: [NSPersistentCloudKitContainer.Event]
    ) -> [NSPersistentCloudKitContainer.Event] {
        var rows = events.map { ($0, Self.fields($0)) }
        if let predicate = fetch.predicate { rows = rows.filter { predicate.evaluate(with: $0.1) } }
        let order = fetch.sortDescriptors ?? []
        if !order.isEmpty {
            rows.sort { first, second in
                let results = order.lazy.map { $0.compare(first.1, to: second.1) }
                return results.first { $0 != .orderedSame } == .orderedAscending
            }
        }
        rows = Array(rows.dropFirst(fetch.fetchOffset))
        return (fetch.fetchLimit > 0 ? Array(rows.prefix(fetch.fetchLimit)) : rows).map(\.0)
    }

    /// Returns the properties of an event as predicates see them.
    private static func fields(_ event: NSPersistentCloudKitContainer.Event) -> NSDictionary {
        let fields = NSMutableDictionary()
        fields["identifier"] = event.identifier as NSUUID
        fields["storeIdentifier"] = event.storeIdentifier as NSString
        fields["type"] = NSNumber(value: event.type.rawValue)
        fields["startDate"] = event.startDate as NSDate
        if let endDate = event.endDate { fields["endDate"] = endDate as NSDate }
        fields["succeeded"] = NSNumber(value: event.succeeded)
        return fields
    }
}

/// The answer to a request for events.
open class NSPersistentCloudKitContainerEventResult: NSPersistentStoreResult {
    /// The form of an answer.
    public enum ResultType: Int, Sendable {
        /// The events, in the order in which they began: `[NSPersistentCloudKitContainer.Event]`.
        case events = 0
        /// Their number: `NSNumber`.
        case countEvents = 1
    }

    /// The events or their number.
    public let result: Any?
    /// The form that the request asked for.
    public let resultType: ResultType

    init(_ events: [NSPersistentCloudKitContainer.Event], _ type: ResultType) {
        resultType = type
        switch type {
        case .events: result = events
        case .countEvents: result = NSNumber(value: events.count)
        }
    }
}
