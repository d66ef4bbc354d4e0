/// What somebody may do in a zone. Each role may do what those before it may.
package enum Role: String, Hashable, Comparable, Sendable, CaseIterable {
    case reader, writer, owner

    package static func < (first: Role, second: Role) -> Bool { first.rank < second.rank }

    private var rank: Int {
        switch self {
        case .reader: 0
        case .writer: 1
        case .owner: 2
        }
    }
}

/// The user who asks, as a token says.
package struct Caller: Hashable, Sendable {
    package var user: String
    /// The zones that the token is for; nil for all that the user may enter.
    package var grants: [ZoneName: Role]?
    /// When the token ends, in milliseconds since 1970; nil for one without end.
    package var end: UInt64?

    package init(user: String, grants: [ZoneName: Role]? = nil, end: UInt64? = nil) {
        self.user = user
        self.grants = grants
        self.end = end
    }

    /// Returns what the caller may do in a zone; nil for nothing.
    ///
    /// - Parameter membership: The role that the zone's owner has given to the user.
    package func role(in zone: ZoneName, membership: Role?) -> Role? {
        if let grants { return grants[zone] }
        return zone.owner == user ? .owner : membership
    }
}
