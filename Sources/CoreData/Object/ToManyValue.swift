import CoreDataValues
import Foundation

/// The members of one to-many relationship of one object.
///
/// Until the members are loaded it keeps the additions and removals, so that adding to a relationship never
/// reads it.
final class ToManyValue {
    let isOrdered: Bool
    private(set) var isLoaded: Bool
    /// The members in the store, once read.
    private(set) var committed: [ObjectReference]?
    private(set) var isChanged = false
    private(set) var isChangedInEvent = false
    /// The members when the present event began, if they were loaded then.
    private(set) var membersBeforeEvent: [NSManagedObject]?
    private var members: Set<NSManagedObject> = []
    /// The members in their order, for an ordered relationship.
    private var order: [NSManagedObject] = []
    /// Members that were removed before the stored ones were read.
    private var removed: Set<ObjectReference> = []
    private var cachedSet: NSSet?
    private var cachedOrderedSet: NSOrderedSet?

    init(isOrdered: Bool, isLoaded: Bool) {
        self.isOrdered = isOrdered
        self.isLoaded = isLoaded
        if isLoaded { committed = [] }
    }

    // MARK: Loading

    /// Takes the stored members, and applies the additions and removals made meanwhile.
    func load(_ objects: [NSManagedObject]) {
        committed = objects.mapBorrowed(\.reference)
        isLoaded = true
        let added = members.isEmpty ? [] : array
        members.removeAll(keepingCapacity: true)
        order.removeAll(keepingCapacity: true)
        members.reserveCapacity(objects.count + added.count)
        for object in objects where removed.isEmpty || !removed.contains(object.reference) { append(object) }
        for object in added { append(object) }
        removed.removeAll()
        invalidate()
    }

    /// Finds additions and removals by the members' own to-one side, if they have one.
    func decideChanges(
        stored: [NSManagedObject], isElsewhere: (NSManagedObject) -> Bool, isHere: (NSManagedObject) -> Bool
    ) {
        removed = Set(stored.filter(isElsewhere).map(\.reference))
        guard !members.isEmpty else { return }
        members = members.filter(isHere)
        order.removeAll { !members.contains($0) }
    }

    private func append(_ object: NSManagedObject) {
        guard members.insert(object).inserted else { return }
        if isOrdered { order.append(object) }
    }

    // MARK: Reading known members

    var count: Int { members.count }
    var set: Set<NSManagedObject> { members }
    var array: [NSManagedObject] { isOrdered ? order : Array(members) }

    func contains(_ object: NSManagedObject) -> Bool { members.contains(object) }

    /// Returns objects as the set or ordered set that key-value access returns.
    func collection(_ objects: [NSManagedObject]) -> NSObject {
        isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
    }

    var asSet: NSSet {
        if let cachedSet { return cachedSet }
        let set = NSSet(array: Array(members))
        cachedSet = set
        return set
    }

    var asOrderedSet: NSOrderedSet {
        if let cachedOrderedSet { return cachedOrderedSet }
        let set = NSOrderedSet(array: array)
        cachedOrderedSet = set
        return set
    }

    // MARK: Changing

    /// Adds a member at the end, or at an index of an ordered relationship.
    func insert(_ object: NSManagedObject, at index: Int? = nil) {
        beginChange()
        removed.remove(object.reference)
        if members.insert(object).inserted, isOrdered {
            order.insert(object, at: index ?? order.count)
        }
        noteChange()
    }

    func remove(_ object: NSManagedObject) {
        beginChange()
        if members.remove(object) != nil {
            if isOrdered, let index = order.firstIndex(of: object) { order.remove(at: index) }
        }
        if !isLoaded { removed.insert(object.reference) }
        noteChange()
    }

    /// Puts the members into a new order.
    func reorder(_ objects: [NSManagedObject]) {
        beginChange()
        order = objects
        noteChange()
    }

    private func beginChange() {
        guard !isChangedInEvent else { return }
        isChangedInEvent = true
        membersBeforeEvent = isLoaded ? array : nil
    }

    func endEvent() {
        isChangedInEvent = false
        membersBeforeEvent = nil
    }

    private func noteChange() {
        isChanged = true
        invalidate()
    }

    private func invalidate() {
        cachedSet = nil
        cachedOrderedSet = nil
    }

    /// Drops the stored members, to be read again; additions and removals stay.
    ///
    /// Members of an ordered relationship that changed keep the order they were given.
    func refault() {
        guard isLoaded, !(isOrdered && isChanged) else { return }
        let stored = Set(committed ?? [])
        removed = stored.subtracting(members.map(\.reference))
        members = members.filter { !stored.contains($0.reference) }
        order.removeAll()
        committed = nil
        isLoaded = false
        invalidate()
    }

    // MARK: Changes of the store

    /// Notes that the store has this member now.
    func arrive(_ object: NSManagedObject) {
        removed.remove(object.reference)
        guard isLoaded else { return }
        if committed?.contains(object.reference) == false { committed?.append(object.reference) }
        append(object)
        noteIfUnchanged()
        invalidate()
    }

    /// Notes that the store does not have this member, even if it was added here.
    func depart(_ object: NSManagedObject) {
        committed?.removeAll { $0 == object.reference }
        if members.remove(object) != nil { order.removeAll { $0 === object } }
        noteIfUnchanged()
        invalidate()
    }

    /// Members that the store does not have.
    var added: [NSManagedObject] {
        guard isChanged else { return [] }
        let stored = Set(committed ?? [])
        return array.filter { !stored.contains($0.reference) }
    }

    /// Members of the store that were removed here.
    var removedReferences: Set<ObjectReference> {
        guard isChanged, isLoaded else { return removed }
        return Set(committed ?? []).subtracting(members.map(\.reference))
    }

    /// Replaces the references of members by their permanent ones; members that are not loaded are known only
    /// by their references.
    func renameMembers(_ renamed: ReferenceMap) {
        committed = committed?.map { renamed[$0] ?? $0 }
        removed = Set(removed.map { renamed[$0] ?? $0 })
    }

    /// Notes that the store has no members any more: all known members count as added.
    func forgetStored() {
        guard isLoaded else { return }
        committed = []
        isChanged = true
    }

    /// Notes that a change was taken back.
    func noteIfUnchanged() {
        guard isLoaded, let committed else { return }
        let references = array.map(\.reference)
        isChanged = isOrdered ? references != committed : Set(references) != Set(committed)
    }

    /// Takes back every change: the members are the committed ones.
    func restore(_ objects: [NSManagedObject]) {
        members = Set(objects)
        order = isOrdered ? objects : []
        isChanged = false
        invalidate()
    }

    /// Makes the members the committed ones, after a save.
    func markCommitted() {
        if isLoaded { committed = array.map(\.reference) }
        removed.removeAll()
        isChanged = false
        if !isLoaded {
            // Added members are in the store now; reading the relationship brings them back.
            members.removeAll()
            order.removeAll()
        }
    }
}

/// A value that an object keeps beside its row: transient, or a transformable's object.
final class SideValue {
    let value: Any

    init(_ value: Any) {
        self.value = value
    }
}
