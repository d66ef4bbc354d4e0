import CoreDataModelFormat
public import Foundation

extension ManagedAccess {
    // MARK: To-one

    /// Reads an optional to-one relationship.
    public static func read<Destination: NSManagedObject>(
        _ object: NSManagedObject, _ property: ManagedProperty
    ) -> Destination? {
        guard let destination = object.toOne(at: object.readSlot(of: property)) else { return nil }
        return cast(destination, property) as Destination
    }

    /// Reads a non-optional to-one relationship; traps without a destination.
    public static func read<Destination: NSManagedObject>(
        _ object: NSManagedObject, _ property: ManagedProperty
    ) -> Destination {
        cast(object.toOne(at: object.readSlot(of: property)), property)
    }

    /// Sets an optional to-one relationship and its other side.
    public static func write<Destination: NSManagedObject>(
        _ object: NSManagedObject, _ property: ManagedProperty, _ value: Destination?
    ) {
        object.setToOne(value, at: object.slot(of: property))
    }

    /// Sets a non-optional to-one relationship and its other side.
    public static func write<Destination: NSManagedObject>(
        _ object: NSManagedObject, _ property: ManagedProperty, _ value: Destination
    ) {
        object.setToOne(value, at: object.slot(of: property))
    }

    // MARK: To-many

    /// Reads a to-many relationship as a set of Swift.
    public static func read<Member: NSManagedObject>(
        _ object: NSManagedObject, _ property: ManagedProperty
    ) -> Set<Member> {
        typedSet(object.toMany(at: object.readSlot(of: property)).set, property)
    }

    /// Reads an optional to-many relationship as a set of Swift; never nil.
    public static func read<Member: NSManagedObject>(
        _ object: NSManagedObject, _ property: ManagedProperty
    ) -> Set<Member>? {
        typedSet(object.toMany(at: object.readSlot(of: property)).set, property) as Set<Member>
    }

    private static func typedSet<Member: NSManagedObject>(
        _ set: Set<NSManagedObject>, _ property: ManagedProperty
    ) -> Set<Member> {
        guard set.areAll({ $0 is Member }) else { return cast(set, property) }
        // Both types have the same storage: a member's hash is its address, whatever its static type.
        return unsafeBitCast(set, to: Set<Member>.self)
    }

    /// Sets the members of a to-many relationship.
    public static func write<Member: NSManagedObject>(
        _ object: NSManagedObject, _ property: ManagedProperty, _ value: Set<Member>
    ) {
        object.setMembers(Array(value), at: object.slot(of: property))
    }

    /// Sets the members of an optional to-many relationship; nil for none.
    public static func write<Member: NSManagedObject>(
        _ object: NSManagedObject, _ property: ManagedProperty, _ value: Set<Member>?
    ) {
        object.setMembers(Array(value ?? []), at: object.slot(of: property))
    }

    /// Reads a to-many relationship as a set of Foundation.
    ///
    /// Generic, so that it is not chosen for a property of type `NSObject` or `Any`.
    public static func read<Collection: ManagedCollection>(
        _ object: NSManagedObject, _ property: ManagedProperty
    ) -> Collection {
        let members = object.toMany(at: object.readSlot(of: property))
        return cast(Collection.isOrderedCollection ? members.asOrderedSet : members.asSet, property)
    }

    /// Reads an optional to-many relationship as a set of Foundation; never nil.
    public static func read<Collection: ManagedCollection>(
        _ object: NSManagedObject, _ property: ManagedProperty
    ) -> Collection? {
        read(object, property) as Collection
    }

    /// Sets the members of a to-many relationship; nil for none.
    public static func write(_ object: NSManagedObject, _ property: ManagedProperty, _ value: NSSet?) {
        object.setMembers(members(value?.allObjects), at: object.slot(of: property))
    }

    /// Sets the members of an ordered relationship; nil for none.
    public static func write(_ object: NSManagedObject, _ property: ManagedProperty, _ value: NSOrderedSet?) {
        object.setMembers(members(value?.array), at: object.slot(of: property))
    }

    private static func members(_ objects: [Any]?) -> [NSManagedObject] {
        (objects ?? []).map { object in
            guard let member = object as? NSManagedObject else {
                programmerError(
                    "\(type(of: object)) cannot be a member of a relationship: only managed objects can")
            }
            return member
        }
    }

    // MARK: Members, one by one and in groups

    /// Adds a member.
    public static func add(_ object: NSManagedObject, _ property: ManagedProperty, _ member: NSManagedObject)
    {
        object.insertMember(member, at: object.slot(of: property))
    }

    /// Adds members.
    public static func add(_ object: NSManagedObject, _ property: ManagedProperty, members: NSSet) {
        for member in Self.members(members.allObjects) { add(object, property, member) }
    }

    /// Adds members in their order.
    public static func add(_ object: NSManagedObject, _ property: ManagedProperty, members: NSOrderedSet) {
        for member in Self.members(members.array) { add(object, property, member) }
    }

    /// Adds members.
    public static func add<Member: NSManagedObject>(
        _ object: NSManagedObject, _ property: ManagedProperty, members: Set<Member>
    ) {
        for member in members { add(object, property, member) }
    }

    /// Removes a member.
    public static func remove(
        _ object: NSManagedObject, _ property: ManagedProperty, _ member: NSManagedObject
    ) {
        object.removeMember(member, at: object.slot(of: property))
    }

    /// Removes members.
    public static func remove(_ object: NSManagedObject, _ property: ManagedProperty, members: NSSet) {
        for member in Self.members(members.allObjects) { remove(object, property, member) }
    }

    /// Removes members.
    public static func remove(_ object: NSManagedObject, _ property: ManagedProperty, members: NSOrderedSet) {
        for member in Self.members(members.array) { remove(object, property, member) }
    }

    /// Removes members.
    public static func remove<Member: NSManagedObject>(
        _ object: NSManagedObject, _ property: ManagedProperty, members: Set<Member>
    ) {
        for member in members { remove(object, property, member) }
    }

    // MARK: By position

    /// Inserts a member into an ordered relationship.
    public static func insert(
        _ object: NSManagedObject, _ property: ManagedProperty, _ member: NSManagedObject, at index: Int
    ) {
        object.insertMember(member, at: object.slot(of: property), index: index)
    }

    /// Removes the member at an index.
    public static func remove(_ object: NSManagedObject, _ property: ManagedProperty, at index: Int) {
        let slot = object.slot(of: property)
        object.removeMember(object.toMany(at: slot).array[index], at: slot)
    }

    /// Inserts members, each at its index.
    public static func insert(
        _ object: NSManagedObject, _ property: ManagedProperty, _ members: [NSManagedObject],
        at indexes: IndexSet
    ) {
        for (member, index) in zip(members, indexes) { insert(object, property, member, at: index) }
    }

    /// Inserts members, each at its index.
    public static func insert(
        _ object: NSManagedObject, _ property: ManagedProperty, _ members: [NSManagedObject],
        at indexes: NSIndexSet
    ) {
        insert(object, property, members, at: IndexSet(indexes.map { $0 }))
    }

    /// Removes the members at indexes.
    public static func remove(_ object: NSManagedObject, _ property: ManagedProperty, at indexes: IndexSet) {
        let slot = object.slot(of: property)
        let array = object.toMany(at: slot).array
        for index in indexes { object.removeMember(array[index], at: slot) }
    }

    /// Removes the members at indexes.
    public static func remove(_ object: NSManagedObject, _ property: ManagedProperty, at indexes: NSIndexSet)
    {
        remove(object, property, at: IndexSet(indexes.map { $0 }))
    }

    /// Replaces the member at an index.
    public static func replace(
        _ object: NSManagedObject, _ property: ManagedProperty, at index: Int, with member: NSManagedObject
    ) {
        remove(object, property, at: index)
        insert(object, property, member, at: index)
    }

    /// Replaces the members at indexes.
    public static func replace(
        _ object: NSManagedObject, _ property: ManagedProperty, at indexes: IndexSet,
        with members: [NSManagedObject]
    ) {
        for (index, member) in zip(indexes, members) { replace(object, property, at: index, with: member) }
    }

    /// Replaces the members at indexes.
    public static func replace(
        _ object: NSManagedObject, _ property: ManagedProperty, at indexes: NSIndexSet,
        with members: [NSManagedObject]
    ) {
        replace(object, property, at: IndexSet(indexes.map { $0 }), with: members)
    }
}

/// A class of Foundation with which a to-many relationship can be declared; only the framework adds
/// conformances.
@_documentation(visibility: internal)
public protocol ManagedCollection: NSObject {
    /// Whether the class keeps an order.
    static var isOrderedCollection: Bool { get }
}

@_documentation(visibility: internal)
extension NSSet: ManagedCollection {
    /// False: the class keeps no order.
    public static var isOrderedCollection: Bool { false }
}

@_documentation(visibility: internal)
extension NSOrderedSet: ManagedCollection {
    /// True: the class keeps the order of its members.
    public static var isOrderedCollection: Bool { true }
}
