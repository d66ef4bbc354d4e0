import CoreDataModelFormat
import Foundation

/// A to-many relationship as a mutable set, whose changes change the object.
final class RelationshipSet: NSMutableSet {
    private let owner: NSManagedObject
    private let slot: PropertySlot

    init(_ owner: NSManagedObject, _ slot: PropertySlot) {
        self.owner = owner
        self.slot = slot
        super.init(capacity: 0)
    }

    required init(capacity: Int) { programmerError("a relationship set belongs to an object") }
    required init?(coder: NSCoder) {
        programmerError("a relationship set cannot be archived: archive object IDs")
    }

    private var members: Set<NSManagedObject> { owner.toMany(at: slot).set }

    override var count: Int { owner.toMany(at: slot).count }
    override var allObjects: [Any] { owner.toMany(at: slot).array }
    override func member(_ object: Any) -> Any? {
        (object as? NSManagedObject).flatMap { members.contains($0) ? $0 : nil }
    }
    override func contains(_ object: Any) -> Bool { member(object) != nil }
    override func objectEnumerator() -> NSEnumerator { NSArray(array: allObjects).objectEnumerator() }

    override func add(_ object: Any) {
        guard let object = NSManagedObject.destination(object, slot) else { return }
        owner.insertMember(object, at: slot)
    }

    override func remove(_ object: Any) {
        guard let object = object as? NSManagedObject else { return }
        owner.removeMember(object, at: slot)
    }

    override func removeAllObjects() { owner.setMembers([], at: slot) }
    override func setSet(_ otherSet: Set<AnyHashable>) {
        owner.setMembers(otherSet.compactMap { $0.base as? NSManagedObject }, at: slot)
    }
    override func union(_ otherSet: Set<AnyHashable>) { for object in otherSet { add(object.base) } }
    override func minus(_ otherSet: Set<AnyHashable>) { for object in otherSet { remove(object.base) } }
    override func intersect(_ otherSet: Set<AnyHashable>) {
        for member in members where !otherSet.contains(AnyHashable(member)) { remove(member) }
    }
    override func copy(with zone: NSZone? = nil) -> Any { NSSet(array: allObjects) }
    override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: allObjects) }
}
