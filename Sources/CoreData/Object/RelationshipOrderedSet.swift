import CoreDataModelFormat
import Foundation

/// An ordered to-many relationship as a mutable ordered set, whose changes change the object.
final class RelationshipOrderedSet: NSMutableOrderedSet {
    private let owner: NSManagedObject
    private let slot: PropertySlot

    init(_ owner: NSManagedObject, _ slot: PropertySlot) {
        self.owner = owner
        self.slot = slot
        super.init(capacity: 0)
    }

    required init?(coder: NSCoder) {
        programmerError("a relationship set cannot be archived: archive object IDs")
    }
    required init(arrayLiteral elements: Any...) {
        programmerError("a relationship set belongs to an object")
    }

    private var members: [NSManagedObject] { owner.toMany(at: slot).array }

    override var count: Int { owner.toMany(at: slot).count }
    override func object(at index: Int) -> Any { members[index] }
    override func index(of object: Any) -> Int {
        (object as? NSManagedObject).flatMap { members.firstIndex(of: $0) } ?? NSNotFound
    }
    override func contains(_ object: Any) -> Bool {
        (object as? NSManagedObject).map(owner.toMany(at: slot).contains) ?? false
    }
    override func insert(_ object: Any, at index: Int) {
        guard let object = NSManagedObject.destination(object, slot) else { return }
        owner.insertMember(object, at: slot, index: index)
    }
    override func add(_ object: Any) { insert(object, at: count) }
    override func removeObject(at index: Int) { owner.removeMember(members[index], at: slot) }
    override func remove(_ object: Any) {
        guard let object = object as? NSManagedObject else { return }
        owner.removeMember(object, at: slot)
    }
    override func removeAllObjects() { owner.setMembers([], at: slot) }
    /// Edits the members as an array, since Foundation's own methods would edit the inherited storage, which
    /// is not used.
    private func edit(_ change: (inout [NSManagedObject]) -> Void) {
        var order = members
        change(&order)
        owner.setMembers(order, at: slot)
    }

    private func destinations(_ objects: [Any]) -> [NSManagedObject] {
        objects.compactMap { NSManagedObject.destination($0, slot) }
    }

    override func replaceObject(at index: Int, with object: Any) {
        edit { $0.replaceSubrange(index...index, with: destinations([object])) }
    }
    override func setObject(_ object: Any, at index: Int) {
        if index == count { insert(object, at: index) } else { replaceObject(at: index, with: object) }
    }
    override func addObjects(from array: [Any]) { edit { $0 += destinations(array) } }
    override func insert(_ objects: [Any], at indexes: IndexSet) {
        edit { order in
            for (object, index) in zip(destinations(objects), indexes) { order.insert(object, at: index) }
        }
    }
    override func replaceObjects(at indexes: IndexSet, with objects: [Any]) {
        edit { order in
            for (object, index) in zip(destinations(objects), indexes) { order[index] = object }
        }
    }
    override func removeObjects(at indexes: IndexSet) {
        edit { order in
            for index in indexes.reversed() { order.remove(at: index) }
        }
    }
    override func removeObjects(in range: NSRange) {
        edit { $0.removeSubrange(range.location..<range.location + range.length) }
    }
    override func removeObjects(in array: [Any]) {
        let gone = Set(array.compactMap { $0 as? NSManagedObject })
        edit { $0.removeAll(where: gone.contains) }
    }
    override func exchangeObject(at first: Int, withObjectAt second: Int) {
        edit { $0.swapAt(first, second) }
    }
    override func moveObjects(at indexes: IndexSet, to index: Int) {
        edit { order in
            let moved = indexes.map { order[$0] }
            for index in indexes.reversed() { order.remove(at: index) }
            order.insert(contentsOf: moved, at: index)
        }
    }

    // MARK: Sets

    override func union(_ other: NSOrderedSet) { addObjects(from: other.array) }
    override func minus(_ other: NSOrderedSet) { removeObjects(in: other.array) }
    override func intersect(_ other: NSOrderedSet) {
        edit { $0.removeAll { !other.contains($0) } }
    }
    override func unionSet(_ other: Set<AnyHashable>) { addObjects(from: other.map(\.base)) }
    override func minusSet(_ other: Set<AnyHashable>) { removeObjects(in: other.map(\.base)) }
    override func intersectSet(_ other: Set<AnyHashable>) {
        edit { $0.removeAll { !other.contains(AnyHashable($0)) } }
    }

    // MARK: Order

    override func sortRange(
        _ range: NSRange, options: NSSortOptions = [],
        usingComparator comparator: (Any, Any) -> ComparisonResult
    ) {
        edit { order in
            let slice = range.location..<range.location + range.length
            order.replaceSubrange(
                slice, with: order[slice].sorted { comparator($0, $1) == .orderedAscending })
        }
    }
    override func sort(
        options: NSSortOptions = [], usingComparator comparator: (Any, Any) -> ComparisonResult
    ) {
        sortRange(NSRange(location: 0, length: count), options: options, usingComparator: comparator)
    }
    override func sort(comparator: (Any, Any) -> ComparisonResult) {
        sort(options: [], usingComparator: comparator)
    }

    override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: members) }
    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableOrderedSet(array: members) }
}
