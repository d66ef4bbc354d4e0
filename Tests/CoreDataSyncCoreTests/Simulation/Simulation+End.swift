import CoreDataSyncCore

/// What has to hold once all devices rest.
extension Simulation {
    /// The objects of a device or of the server, in the names that all know.
    struct Graph: Equatable {
        var values: [SyncID: [String: SyncValue]] = [:]
        var lists: [SyncID: [String: [SyncID]]] = [:]
        var pairs: Set<ItemKey> = []
    }

    func checkEnd() throws {
        var digest = ZoneDigest()
        for (key, row) in storage.rows { digest.toggle(key, row.state) }
        guard digest == storage.header.digest else {
            throw Failure(description: "the server's digest is not that of its rows")
        }
        let validity = Validity(schema: schema, storage: storage)
        try validity.check(storage.rows.keys)
        try validity.checkIndexes()
        let wanted = serverGraph()
        for (index, device) in devices.enumerated() {
            try checkStore(device)
            let graph = deviceGraph(device)
            if graph != wanted {
                throw Failure(description: "device \(index) differs: \(difference(graph, wanted))")
            }
            let digest = device.ledger.keys.reduce(into: ZoneDigest()) { digest, key in
                digest.toggle(key, device.ledger.entry(key)!)
            }
            guard device.ledger.digest == digest else {
                throw Failure(description: "the digest of device \(index) is not that of its entries")
            }
            guard device.ledger.digest == storage.header.digest else {
                throw Failure(description: "device \(index) has another digest: \(digestDifference(device))")
            }
            guard device.store.capture(since: nil).rows.allSatisfy({ isKnown($0, device) }) else {
                throw Failure(description: "the ledger of device \(index) has other hashes than the store")
            }
        }
        try checkNothingIsLost()
        try checkCounters()
        try checkNothingWasRepaired()
    }

    /// Comparing by digests mends what faults of disks or of this code have done, and has nothing to mend without any.
    private func checkNothingWasRepaired() throws {
        guard faults == 0, sabotage.isEmpty else { return }
        for (index, device) in devices.enumerated() where device.ledger.issues.contains(.diverged) {
            throw Failure(description: "device \(index) had to be repaired")
        }
    }

    private func digestDifference(_ device: SimDevice) -> String {
        let rows = storage.rows.filter { $0.value.state.counts(as: $0.key) }
        for key in Set(rows.keys).union(device.ledger.keys).sorted() {
            let (here, there) = (device.ledger.entry(key)?.stateWithoutValues(), rows[key]?.state)
            let digests = [here, there].map { state in
                state.map { $0.counts(as: key) ? $0.digest(of: key) : 0 } ?? 0
            }
            if digests[0] != digests[1] {
                return
                    "\(key) is \(here.map { "\($0)" } ?? "unknown"), not \(there.map { "\($0)" } ?? "unknown")"
            }
        }
        return "none"
    }

    /// Whether hashes of the ledger are those of an object.
    private func isKnown(_ row: CapturedRow, _ device: SimDevice) -> Bool {
        guard let id = device.ledger.id(of: row.local), let entry = device.ledger.entry(.object(id)) else {
            return false
        }
        return schema.entities[row.entity]!.registers.allSatisfy { name, rule in
            if case .position = rule { return true }
            let shown = entry.registers[name]?.shown ?? SyncValue.null.stableHash
            return device.store.shown(row.values[name], device.ledger)?.stableHash == shown
        }
    }

    /// No reference leads nowhere, and none is missing that must be there.
    func checkStore(_ device: SimDevice) throws {
        if device.store.hasTwins {
            throw Failure(description: "two objects of a store have one unique value")
        }
        for row in device.store.rows.values {
            for value in row.values.values {
                if case .object(let target) = value, device.store.rows[target] == nil {
                    throw Failure(description: "a reference leads nowhere")
                }
            }
            if row.entity == "Shelf", row.values["library"] == nil {
                throw Failure(description: "a shelf has no library")
            }
        }
    }

    /// Each text that was entered is there, or was replaced or deleted by somebody who had it on the
    /// screen, or is in a log, a bin or an issue.
    private func checkNothingIsLost() throws {
        var found = record.logged
        for row in storage.rows.values {
            for register in row.state.registers.values {
                if case .string(let text) = register.value { found.insert(text) }
            }
        }
        for row in storage.log { if case .string(let text) = row.lost.value { found.insert(text) } }
        for device in devices {
            found.formUnion(device.app.replaced)
            for issue in device.ledger.issues {
                switch issue {
                case .lost(let lost), .asked(let lost):
                    if case .string(let text) = lost.value { found.insert(text) }
                case .rejected(let change, _), .gone(let change):
                    if case .string(let text) = change.value { found.insert(text) }
                case .diverged, .missingObjects, .unknownObjects, .parked: break
                }
            }
        }
        for device in devices {
            let lost = device.app.entered.subtracting(found)
            if !lost.isEmpty { throw Failure(description: "lost without a word: \(lost.sorted())") }
        }
    }

    /// Each addition to a counter counts once.
    private func checkCounters() throws {
        guard !hasCopies else { return }
        func resolved(_ id: SyncID) -> SyncID { storage.rows[.object(id)]?.state.alias.map(resolved) ?? id }
        let refused = Set(devices.flatMap(\.ledger.issues).compactMap(\.refusedItem).map(resolved))
        var added: [SyncID: Int64] = [:]
        for device in devices {
            for (id, amount) in device.app.addedBefore { added[resolved(id), default: 0] += amount }
            for (local, amount) in device.app.added where device.store.rows[local] != nil {
                if let id = device.ledger.id(of: local) { added[resolved(id), default: 0] += amount }
            }
        }
        for (key, row) in storage.rows where row.state.isAlive && schema.isKind(row.state.entity, of: "Book")
        {
            guard let id = key.object, !refused.contains(id) else { continue }
            let copies: Int64 = if case .integer(let copies) = row.state["copies"] { copies } else { 0 }
            if copies != added[id, default: 0] {
                throw Failure(description: "\(key) has \(copies) copies, not \(added[id, default: 0])")
            }
        }
    }

    private func difference(_ graph: Graph, _ wanted: Graph) -> String {
        for id in Set(graph.values.keys).union(wanted.values.keys).sorted()
        where graph.values[id] != wanted.values[id] {
            return "\(id) is \(graph.values[id] ?? [:]), not \(wanted.values[id] ?? [:])"
        }
        for id in Set(graph.lists.keys).union(wanted.lists.keys).sorted()
        where graph.lists[id] != wanted.lists[id] {
            return "\(id) has \(graph.lists[id] ?? [:]), not \(wanted.lists[id] ?? [:])"
        }
        return "pairs \(graph.pairs.symmetricDifference(wanted.pairs))"
    }

    private func deviceGraph(_ device: SimDevice) -> Graph {
        var graph = Graph()
        func id(_ local: LocalKey) -> SyncID { device.ledger.id(of: local) ?? SyncID(high: 0, low: 0) }
        for (key, row) in device.store.rows {
            var values: [String: SyncValue] = [:]
            for (name, value) in row.values { values[name] = device.store.shown(value, device.ledger) }
            graph.values[id(key)] = values
            let lists = row.lists.filter { !$0.value.isEmpty }
            if !lists.isEmpty { graph.lists[id(key)] = lists.mapValues { $0.map(id) } }
        }
        for pair in device.store.pairs {
            graph.pairs.insert(.pair(pair.name, id(pair.first), id(pair.second)))
        }
        return graph
    }

    /// The living objects that have what they cannot be without. One may lack it for ever, if the device that
    /// pushed it in portions has lost the rest.
    private func shownObjects() -> Set<SyncID> {
        var shown = Set(storage.rows.filter { $0.value.state.isAlive }.keys.compactMap(\.object))
        func resolved(_ id: SyncID) -> SyncID { storage.rows[.object(id)]?.state.alias.map(resolved) ?? id }
        func isComplete(_ id: SyncID) -> Bool {
            let state = storage.rows[.object(id)]!.state
            return schema.entities[state.entity]!.references.allSatisfy { reference in
                reference.rule.isOptional
                    || state[reference.name].reference.map { shown.contains(resolved($0)) } ?? false
            }
        }
        while let parked = shown.first(where: { !isComplete($0) }) { shown.remove(parked) }
        return shown
    }

    private func serverGraph() -> Graph {
        var graph = Graph()
        let shown = shownObjects()
        func state(_ id: SyncID) -> ItemState? { storage.rows[.object(id)]?.state }
        func resolved(_ id: SyncID) -> SyncID { state(id)?.alias.map { resolved($0) } ?? id }
        var members: [SyncID: [String: [OrderedMember]]] = [:]
        for (key, row) in storage.rows {
            if case .pair(_, let first, let second) = key {
                let isThere = [first, second].allSatisfy { shown.contains($0) }
                if row.state.isPresent, isThere { graph.pairs.insert(key) }
                if row.state.isPresent, isThere, key.isTopic {
                    let joined = row.state.registers[ItemState.presence]!.stamp
                    for (owner, partner, name, place) in [
                        (first, second, "topics", "first"), (second, first, "libraries", "second"),
                    ] {
                        members[owner, default: [:]][name, default: []].append(
                            OrderedMember(id: partner, position: row.state[place], joined: joined))
                    }
                }
                continue
            }
            guard let id = key.object, shown.contains(id) else { continue }
            var values: [String: SyncValue] = [:]
            for (name, rule) in schema.entities[row.state.entity]!.registers {
                var value = row.state[name]
                if case .position = rule { continue }
                if let raw = value.reference {
                    let target = resolved(raw)
                    value = shown.contains(target) ? .reference(target) : .null
                    if name == "shelf", !value.isNull {
                        let member = OrderedMember(
                            id: id, position: row.state["shelf#"], joined: row.state.registers[name]!.stamp)
                        members[target, default: [:]]["books", default: []].append(member)
                    }
                }
                if !value.isNull { values[name] = value }
            }
            graph.values[id] = values
        }
        for (owner, lists) in members {
            graph.lists[owner] = lists.mapValues { OrderedMember.sorted($0, in: owner).map(\.id) }
        }
        return graph
    }
}

extension SyncIssue {
    /// The object of a change that the server has not taken, as the app was told.
    fileprivate var refusedItem: SyncID? {
        switch self {
        case .rejected(let change, _), .gone(let change): change.item.object
        default: nil
        }
    }
}

extension ItemKey {
    /// Whether it is a pair of the ordered many-to-many relationship.
    fileprivate var isTopic: Bool { if case .pair("Library.topics", _, _) = self { true } else { false } }
}
