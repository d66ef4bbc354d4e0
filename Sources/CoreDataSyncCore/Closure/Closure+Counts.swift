/// Numbers of members, and the length of their order keys.
extension ZoneTransaction {
    /// Undoes the latest additions above the maximum and the latest removals below the minimum of a to-many
    /// relationship.
    mutating func keepCount(_ owner: SyncID, _ rule: CollectionRule) throws {
        guard rule.maximum > 0 || rule.minimum > 0 else { return }
        let members = try members(of: owner, rule)
        if rule.maximum > 0, members.count > rule.maximum {
            let latest = members.sorted { $0.joined > $1.joined }.prefix(members.count - rule.maximum)
            for member in latest { try remove(member.id, from: owner, rule) }
        } else if members.count < rule.minimum {
            for id in try removed(from: owner, rule).prefix(rule.minimum - members.count) {
                if try !isAlive(id) { try turn(id, .count) }
                guard let raw = try state(id)?[rule.reference].reference, try resolved(raw) == owner else {
                    try replace(rule.reference, of: id, by: .reference(owner), .count)
                    continue
                }
            }
        }
    }

    private mutating func remove(_ member: SyncID, from owner: SyncID, _ rule: CollectionRule) throws {
        var value = SyncValue.null
        if let raw = try valueBefore(member, rule.reference)?.reference {
            let earlier = try resolved(raw)
            if try earlier != owner && isAlive(earlier) && members(of: earlier, rule).count < rule.maximum {
                value = .reference(earlier)
            }
        }
        let reference = Referrer(object: member, register: rule.reference)
        if value.isNull, try self.rule(of: reference)?.isOptional != true { return try turn(member, .count) }
        try replace(rule.reference, of: member, by: value, .count)
    }

    /// Returns the members that this push has removed, the latest removal first.
    private func removed(from owner: SyncID, _ rule: CollectionRule) throws -> [SyncID] {
        var result: [(stamp: Stamp, id: SyncID)] = []
        for (key, row) in before {
            guard let id = key.object, let row, row.state.isAlive,
                let raw = row.state[rule.reference].reference, try resolved(raw) == owner,
                schema.isKind(row.state.entity, of: rule.target), let state = try state(id),
                state.alias == nil
            else { continue }
            let isMember =
                try state.isAlive && state[rule.reference].reference.map { try resolved($0) } == owner
            if !isMember { result.append((state.stamp, id)) }
        }
        return result.sorted { ($0.stamp, $0.id) > ($1.stamp, $1.id) }.map(\.id)
    }

    /// Returns the living members of an owner.
    private func members(of owner: SyncID, _ rule: CollectionRule) throws -> [OrderedMember] {
        try livingReferrers(of: owner).compactMap { referrer in
            guard referrer.register == rule.reference, let state = try state(referrer.object),
                schema.isKind(state.entity, of: rule.target), let register = state.registers[rule.reference]
            else { return nil }
            return OrderedMember(
                id: referrer.object, position: state[SchemaCompiler.position(rule.reference)],
                joined: register.stamp)
        }
    }

    /// Writes new keys for all members of an owner once one of them has become long.
    mutating func shortenKeys(_ owner: SyncID, _ rule: CollectionRule) throws {
        let members = OrderedMember.sorted(try members(of: owner, rule), in: owner)
        guard members.contains(where: { $0.key(in: owner)?.bytes.count ?? 0 > OrderKey.longest }) else {
            return
        }
        let keys = OrderKey.keys(members.count, after: nil, before: nil, by: server)
        for (member, key) in zip(members, keys) {
            try set(
                .position(owner: owner, key: key), as: SchemaCompiler.position(rule.reference), of: member.id)
        }
    }

    /// Writes new keys for all partners of an object once one of them has become long.
    mutating func shortenKeys(
        of side: PairRule.Side, isFirst: Bool, _ name: String, _ id: SyncID
    ) throws {
        guard side.isOrdered, let entity = try state(id)?.entity, schema.isKind(entity, of: side.entity)
        else {
            return
        }
        let place = PairSide(name: name, isFirst: isFirst)
        var partners: [OrderedMember] = []
        for key in try pairs(of: id) {
            guard let partner = key.partner(of: id, place), let state = try storage.row(key)?.state,
                state.isPresent
            else { continue }
            let joined = state.registers[ItemState.presence]?.stamp ?? .never
            partners.append(OrderedMember(id: partner, position: state[place.place], joined: joined))
        }
        guard partners.contains(where: { $0.key(in: id)?.bytes.count ?? 0 > OrderKey.longest }) else {
            return
        }
        partners = OrderedMember.sorted(partners, in: id)
        let keys = OrderKey.keys(partners.count, after: nil, before: nil, by: server)
        for (partner, key) in zip(partners, keys) {
            try write(
                .value(.position(owner: id, key: key), stamp()), as: place.place,
                of: .pair(place, id, partner.id))
        }
    }

    /// Undoes the latest additions above the maximum and the latest removals below the minimum on one side of
    /// a many-to-many relationship. Where an object has one partner, the latest stays.
    mutating func keepCount(
        of side: PairRule.Side, isFirst: Bool, _ name: String, _ id: SyncID
    ) throws {
        guard side.maximum > 0 || side.minimum > 0 || side.isSingle, let entity = try state(id)?.entity,
            schema.isKind(entity, of: side.entity)
        else { return }
        var present: [(stamp: Stamp, key: ItemKey)] = []
        var removed: [(stamp: Stamp, key: ItemKey)] = []
        for key in try pairs(of: id) {
            guard case .pair(name, let first, let second) = key, (isFirst ? first : second) == id,
                try isAlive(isFirst ? second : first), let row = try storage.row(key),
                let stamp = row.state.registers[ItemState.presence]?.stamp
            else { continue }
            if row.state.isPresent {
                present.append((stamp, key))
            } else if let earlier = before[key] ?? nil, earlier.state.isPresent {
                removed.append((stamp, key))
            }
        }
        if side.isSingle {
            for (_, key) in present.sorted(by: { $0 > $1 }).dropFirst() { try set(false, key, .exclusive) }
            return
        }
        let excess = side.maximum > 0 ? max(0, present.count - side.maximum) : 0
        for (_, key) in present.sorted(by: { $0 > $1 }).prefix(excess) { try set(false, key, .count) }
        let missing = max(0, side.minimum - present.count)
        for (_, key) in removed.sorted(by: { $0 > $1 }).prefix(missing) { try set(true, key, .count) }
    }

    private mutating func set(_ isPresent: Bool, _ key: ItemKey, _ reason: LostValue.Reason) throws {
        guard let state = try storage.row(key)?.state, let old = state.registers[ItemState.presence] else {
            return
        }
        try log(
            LostValue(
                item: key, entity: state.entity, register: ItemState.presence, value: old.value,
                stamp: old.stamp, winner: stamp(), reason: reason))
        for key in schema.images(of: key) where try storage.row(key) != nil {
            try write(.value(.boolean(isPresent), stamp()), as: ItemState.presence, of: key)
        }
    }
}
