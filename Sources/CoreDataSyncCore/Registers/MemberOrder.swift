/// A member of an ordered relationship with what its place depends on.
package struct OrderedMember: Hashable, Sendable {
    package var id: SyncID
    /// The value of its position register.
    package var position: SyncValue
    /// When it got its owner.
    package var joined: Stamp

    package init(id: SyncID, position: SyncValue, joined: Stamp) {
        self.id = id
        self.position = position
        self.joined = joined
    }

    /// Returns the key of the place, if it was made for this owner.
    package func key(in owner: SyncID) -> OrderKey? {
        if case .position(owner, let key) = position { key } else { nil }
    }

    /// Returns the members of an owner in their order: by their keys, and those whose place was made for
    /// another owner behind the last, in the order in which they came.
    package static func sorted(_ members: [OrderedMember], in owner: SyncID) -> [OrderedMember] {
        members.sorted { first, second in
            switch (first.key(in: owner), second.key(in: owner)) {
            case (let key?, let otherKey?): key != otherKey ? key < otherKey : first.id < second.id
            case (_?, nil): true
            case (nil, _?): false
            case (nil, nil):
                first.joined != second.joined ? first.joined < second.joined : first.id < second.id
            }
        }
    }
}
