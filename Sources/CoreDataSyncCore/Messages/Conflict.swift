/// A value that lost, as the server keeps it and tells the devices.
package struct LostValue: Hashable, Sendable {
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// A concurrent write with a later stamp.
        case concurrent
        /// The object was deleted concurrently.
        case deleted
        /// The object went with its owner.
        case orphan
        /// A deletion was undone, since the object is still needed.
        case denied
        /// A deletion was undone by a concurrent edit.
        case revived
        /// Another object has the unique value.
        case unique
        /// The object was merged into another one with the same unique value.
        case merged
        /// Another object refers to the same target, which has one owner.
        case exclusive
        /// The reference closed a cycle.
        case cycle
        /// The store that shows it took the place of another one, and the server has a value.
        case replaced
        /// A relationship had too many or too few members.
        case count
    }

    package var item: ItemKey
    package var entity: String
    /// Nil for the existence of the object.
    package var register: String?
    package var value: SyncValue
    package var stamp: Stamp
    /// The write that won.
    package var winner: Stamp
    package var reason: Reason

    package init(
        item: ItemKey, entity: String, register: String?, value: SyncValue, stamp: Stamp, winner: Stamp,
        reason: Reason
    ) {
        self.item = item
        self.entity = entity
        self.register = register
        self.value = value
        self.stamp = stamp
        self.winner = winner
        self.reason = reason
    }
}
