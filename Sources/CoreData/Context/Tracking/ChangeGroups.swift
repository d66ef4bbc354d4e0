import CoreDataValues
import Foundation

/// The changes of a save or an event, in the groups that notifications report, with each object in one of
/// them.
struct ChangeGroups {
    var inserted: [NSManagedObject] = []
    var updated: [NSManagedObject] = []
    var deleted: [NSManagedObject] = []
    var refreshed: [NSManagedObject] = []
    /// The history token after a save, if a store keeps history.
    var historyToken: NSPersistentHistoryToken?
    /// The query generation that the context is pinned to after a save, if it is.
    var queryGeneration: NSQueryGenerationToken?

    init(queryGeneration: NSQueryGenerationToken? = nil) {
        self.queryGeneration = queryGeneration
    }

    /// Groups the changes of the event that ends, by the objects' flags.
    init(ofEvent pending: [NSManagedObject]) {
        // Mostly all are of one kind, and the list is the group.
        if let first = pending.first.flatMap(Self.group(of:)),
            pending.allSatisfyBorrowed({ Self.group(of: $0) == first })
        {
            self[first] = pending
        } else {
            for object in pending {
                if let group = Self.group(of: object) { self[group].append(object) }
            }
        }
    }

    /// Returns the group of an object; nil for one whose deletion was taken back.
    static func group(of object: NSManagedObject) -> Group? {
        let flags = object.flags
        if flags.contains(.pendingDelete) { return .deleted }
        if flags.contains(.pendingInsert) { return .inserted }
        if flags.contains(.pendingUpdate) { return .updated }
        return flags.contains(.pendingRefresh) ? .refreshed : nil
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }

    mutating func add(_ share: FrozenChanges.Share) {
        Self.add(share.inserted, to: &inserted)
        Self.add(share.updated, to: &updated)
        Self.add(share.deleted, to: &deleted)
    }

    /// Adds objects to a group. An empty group takes over the list without copying it, as in most saves,
    /// which are to one store.
    private static func add(_ objects: [NSManagedObject], to group: inout [NSManagedObject]) {
        if group.isEmpty { group = objects } else { group += objects }
    }

    enum Group: CaseIterable {
        case inserted, updated, deleted, refreshed

        fileprivate var objectsKey: String {
            switch self {
            case .inserted: NSInsertedObjectsKey
            case .updated: NSUpdatedObjectsKey
            case .deleted: NSDeletedObjectsKey
            case .refreshed: NSRefreshedObjectsKey
            }
        }

        fileprivate var idsKey: String {
            switch self {
            case .inserted: NSInsertedObjectIDsKey
            case .updated: NSUpdatedObjectIDsKey
            case .deleted: NSDeletedObjectIDsKey
            case .refreshed: NSRefreshedObjectIDsKey
            }
        }
    }

    private subscript(group: Group) -> [NSManagedObject] {
        get {
            switch group {
            case .inserted: inserted
            case .updated: updated
            case .deleted: deleted
            case .refreshed: refreshed
            }
        }
        _modify {
            switch group {
            case .inserted: yield &inserted
            case .updated: yield &updated
            case .deleted: yield &deleted
            case .refreshed: yield &refreshed
            }
        }
    }

    /// Returns the `userInfo` of notifications with objects, for the groups that have members.
    ///
    /// - Parameter told: The groups that an event announced shortly before. A save mostly announces the same
    ///   objects, and then reuses the sets of the event, since making sets of many objects takes long.
    func objectInfo(like told: ToldChanges? = nil) -> [AnyHashable: Any] {
        if let told, historyToken == nil, queryGeneration == nil, told.groups.isSame(as: self) {
            return told.info
        }
        var info = tokens
        for group in Group.allCases where !self[group].isEmpty {
            let members = self[group]
            if let told, Self.isSame(told.groups[group], members) {
                info[group.objectsKey] = told.info[group.objectsKey]
            } else {
                info[group.objectsKey] = Set(distinct: members.mapBorrowed { Unmanaged.passRetained($0) })
            }
        }
        return info
    }

    var objectIDInfo: [AnyHashable: Any] {
        var info = tokens
        for group in Group.allCases where !self[group].isEmpty {
            info[group.idsKey] = NSManagedObject.objectIDs(of: self[group])
        }
        return info
    }

    private var tokens: [AnyHashable: Any] {
        // Most notifications have one group.
        var info: [AnyHashable: Any] = Dictionary(minimumCapacity: 1)
        // Under the public key, and under the one that Apple's framework posts.
        if let historyToken {
            info[NSPersistentHistoryTokenKey] = historyToken
            info["newChangeToken"] = historyToken
        }
        if let queryGeneration { info[NSManagedObjectContextQueryGenerationKey] = queryGeneration }
        return info
    }

    private func isSame(as other: ChangeGroups) -> Bool {
        Group.allCases.allSatisfy { Self.isSame(self[$0], other[$0]) }
    }

    private static func isSame(_ left: [NSManagedObject], _ right: [NSManagedObject]) -> Bool {
        left.count == right.count
            && left.withUnsafeBufferPointer { left in
                right.withUnsafeBufferPointer { right in
                    // Mostly both slices are of the same array.
                    left.baseAddress == right.baseAddress
                        || left.indices.allSatisfy { left[$0] === right[$0] }
                }
            }
    }
}

/// The changes that observers of an event were told.
struct ToldChanges {
    let groups: ChangeGroups
    let info: [AnyHashable: Any]
}

extension Set where Element: NSObject {
    /// Makes a set of members that are known to differ, with the builder that Foundation uses to bridge sets.
    ///
    /// Ordinary insertions take three times as long: each looks for an equal member, in a table of twice the
    /// size, so that few have to be compared. The set takes over references that the caller has retained: a
    /// retain in the loop would wait for the write before it, which for a large set goes to a random place in
    /// memory.
    init(distinct members: [Unmanaged<Element>]) {
        var builder = _SetBuilder<Element>(count: members.count)
        for member in members { builder.add(member: member.takeRetainedValue()) }
        self = builder.take()
        assert(count == Set(Array(self)).count, "A member is listed twice.")
    }
}
