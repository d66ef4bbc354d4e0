/// What a zone's logic is about to ask a storage, so that one to which every question is a trip can read it at once.
package struct ZoneQuestions: Hashable, Sendable {
    package var rows: Set<ItemKey> = []
    package var referrers: Set<SyncID> = []
    package var pairs: Set<SyncID> = []
    package var holders: Set<UniqueValue> = []
    package var forgotten: Set<ItemKey> = []

    package init() {}
}

extension ZoneTransaction {
    /// Announces the items of changes, and what they refer to.
    func expect(_ changes: [Change]) throws {
        guard storage.isDistant else { return }
        var questions = ZoneQuestions()
        for change in changes {
            questions.rows.insert(change.item)
            if case .pair(_, let first, let second) = change.item {
                questions.rows.formUnion([.object(first), .object(second)])
            }
            if case .existence(let length, _) = change.edit, length > 1, let id = change.item.object {
                questions.referrers.insert(id)
                questions.pairs.insert(id)
            }
            if case .merged(let survivor) = change.edit { questions.rows.insert(.object(survivor)) }
            if let target = change.value.reference { questions.rows.insert(.object(target)) }
            let forgotten = storage.header.forgottenTime
            if change.isRelayed || change.stamp.time <= forgotten
                || change.edit.isCreation && forgotten > .zero
            {
                questions.forgotten.insert(change.item)
            }
        }
        try storage.expect(questions)
    }

    /// Announces what the rules will ask about objects, and about those that go with them when they are deleted, one
    /// level after the other.
    func expect(_ objects: Set<SyncID>) throws {
        guard storage.isDistant else { return }
        var (seen, next, dying): (Set<SyncID>, Set<SyncID>, Set<SyncID>) = ([], objects, [])
        while !next.isEmpty {
            seen.formUnion(next)
            var questions = ZoneQuestions()
            questions.rows = Set(next.map { .object($0) })
            try storage.expect(questions)
            questions = ZoneQuestions()
            for id in next { try ask(about: id, isDying: dying.contains(id), &questions) }
            try storage.expect(questions)
            next = try neighbors(of: next, questions, &dying).subtracting(seen)
        }
    }

    private func ask(about id: SyncID, isDying: Bool, _ questions: inout ZoneQuestions) throws {
        guard let state = try state(id), let entity = schema.entities[state.entity] else { return }
        for reference in entity.references {
            guard let target = state[reference.name].reference else { continue }
            questions.rows.insert(.object(target))
            if reference.rule.isExclusive { questions.referrers.insert(target) }
        }
        let isGone = !state.isAlive || isDying
        if isGone || entity.asksForMembers { questions.referrers.insert(id) }
        if isGone || schema.asksForPartners(state.entity) { questions.pairs.insert(id) }
        questions.holders.formUnion(entity.indexed.compactMap { state.value(of: $0) })
    }

    /// Announces the objects around others, and returns those of them whose rules will be asked.
    ///
    /// - Parameter dying: The objects that are deleted with others, to which those are added that go with these.
    private func neighbors(
        of objects: Set<SyncID>, _ questions: ZoneQuestions, _ dying: inout Set<SyncID>
    ) throws -> Set<SyncID> {
        let referrers = try questions.referrers.flatMap { id in try storage.referrers(of: id).map { (id, $0) }
        }
        let pairs = try questions.pairs.flatMap { id in try storage.pairs(of: id).map { (id, $0) } }
        var around = ZoneQuestions()
        around.rows = Set(referrers.map { .object($0.1.object) })
        for (id, key) in pairs { around.rows.formUnion([key, .object(key.partner(of: id))]) }
        for value in questions.holders {
            around.rows.formUnion(try storage.holders(of: value).map { .object($0) })
        }
        try storage.expect(around)
        let gone = try objects.filter { try dying.contains($0) || !isAlive($0) }
        var result: Set<SyncID> = []
        for (id, referrer) in referrers where gone.contains(id) {
            result.insert(referrer.object)
            if try rule(of: referrer)?.buriesReferrer ?? false { dying.insert(referrer.object) }
        }
        for (id, key) in pairs where gone.contains(id) {
            result.insert(key.partner(of: id))
            if case .pair(let name, let first, _) = key, let rule = schema.pairs[name],
                (first == id ? rule.first : rule.second).deleteRule == .cascade
            {
                dying.insert(key.partner(of: id))
            }
        }
        for id in gone {
            guard let state = try state(id), let entity = schema.entities[state.entity] else { continue }
            for reference in entity.references {
                guard let target = state[reference.name].reference else { continue }
                result.insert(target)
                if reference.rule.deleteRule == .cascade { dying.insert(target) }
            }
        }
        return result
    }

    /// Announces objects of which the state is asked.
    func expect(states objects: [SyncID]) throws {
        guard storage.isDistant, objects.count > 1 else { return }
        var questions = ZoneQuestions()
        questions.rows = Set(objects.map { .object($0) })
        try storage.expect(questions)
    }

    /// Returns the pairs that an object is in. Their rows, and their partners, are announced.
    func pairs(of id: SyncID) throws -> [ItemKey] {
        let keys = try storage.pairs(of: id)
        guard storage.isDistant, keys.count > 1 else { return keys }
        var questions = ZoneQuestions()
        for key in keys { questions.rows.formUnion([key, .object(key.partner(of: id))]) }
        try storage.expect(questions)
        return keys
    }
}

extension ItemKey {
    /// Returns the other object of a pair.
    fileprivate func partner(of id: SyncID) -> SyncID {
        guard case .pair(_, let first, let second) = self else { return id }
        return first == id ? second : first
    }
}

extension SyncEntity {
    /// Whether the rules look at the members of a living object.
    fileprivate var asksForMembers: Bool {
        collections.values.contains { $0.maximum > 0 || $0.minimum > 0 || $0.isOrdered }
    }
}

extension SyncSchema {
    /// Whether the rules look at the partners of a living object of an entity.
    fileprivate func asksForPartners(_ entity: String) -> Bool {
        pairs.values.contains { pair in
            [pair.first, pair.second].contains {
                ($0.maximum > 0 || $0.minimum > 0 || $0.isOrdered) && isKind(entity, of: $0.entity)
            }
        }
    }
}
