import CoreDataSync
import CoreDataSyncCore

/// The objects of a device or of a server, in the names that all know.
struct Graph: Equatable {
    var values: [SyncID: [String: SyncValue]] = [:]
    var lists: [SyncID: [String: [SyncID]]] = [:]
    var pairs: Set<ItemKey> = []

    /// Returns where two graphs differ; nil if they are equal.
    func difference(from other: Graph) -> String? {
        for id in Set(values.keys).union(other.values.keys).sorted() where values[id] != other.values[id] {
            return
                "\(id) is \(values[id].map { "\($0)" } ?? "absent"), not \(other.values[id].map { "\($0)" } ?? "absent")"
        }
        for id in Set(lists.keys).union(other.lists.keys).sorted() where lists[id] != other.lists[id] {
            return "\(id) has \(lists[id] ?? [:]), not \(other.lists[id] ?? [:])"
        }
        return pairs == other.pairs ? nil : "pairs \(pairs.symmetricDifference(other.pairs))"
    }
}

extension Device {
    /// Returns what the store shows, and throws if the ledger knows something else.
    func graph() async throws -> Graph {
        guard let engine else { throw Stuck() }
        var graph = Graph()
        let nobody = SyncID(high: 0, low: 0)
        func id(_ local: LocalKey) -> SyncID { engine.ledger.id(of: local) ?? nobody }
        for row in try await engine.readStore().rows {
            guard engine.ledger.shows(row, engine.schema) else { throw Unknown(description: "\(row)") }
            graph.values[id(row.local)] = row.values.mapValues { value in
                switch value {
                case .plain(let plain): plain
                case .object(let local): .reference(id(local))
                }
            }
            let lists = row.lists.filter { !$0.value.isEmpty }
            if !lists.isEmpty { graph.lists[id(row.local)] = lists.mapValues { $0.map(id) } }
            for (side, partners) in row.partners where side.isFirst {
                for partner in partners { graph.pairs.insert(.pair(side.name, id(row.local), id(partner))) }
            }
        }
        return graph
    }

    /// The ledger has other hashes than the store.
    struct Unknown: Error, CustomStringConvertible {
        let description: String
    }
}

extension TestServer {
    /// Returns what every device has to show.
    func graph() -> Graph {
        var graph = Graph()
        let shown = shownObjects()
        var members: [SyncID: [String: [OrderedMember]]] = [:]
        for (key, row) in storage.rows {
            if case .pair(let name, let first, let second) = key {
                guard row.state.isPresent, shown.contains(first), shown.contains(second) else { continue }
                graph.pairs.insert(key)
                note(row.state, name, first, second, &members)
                continue
            }
            guard let id = key.object, shown.contains(id) else { continue }
            graph.values[id] = values(of: row.state, id, shown, &members)
        }
        for (owner, lists) in members {
            graph.lists[owner] = lists.mapValues { OrderedMember.sorted($0, in: owner).map(\.id) }
        }
        return graph
    }

    /// Adds the objects of a pair to each other's ordered members.
    private func note(
        _ state: ItemState, _ name: String, _ first: SyncID, _ second: SyncID,
        _ members: inout [SyncID: [String: [OrderedMember]]]
    ) {
        guard let rule = server.schema.pairs[name] else { return }
        let joined = state.registers[ItemState.presence]?.stamp ?? .never
        if rule.first.isOrdered, let list = rule.first.relationship {
            members[first, default: [:]][list, default: []]
                .append(OrderedMember(id: second, position: state[ItemState.places[0]], joined: joined))
        }
        if rule.second.isOrdered, !rule.isMirrored, let list = rule.second.relationship {
            members[second, default: [:]][list, default: []]
                .append(OrderedMember(id: first, position: state[ItemState.places[1]], joined: joined))
        }
    }

    private func values(
        of state: ItemState, _ id: SyncID, _ shown: Set<SyncID>,
        _ members: inout [SyncID: [String: [OrderedMember]]]
    ) -> [String: SyncValue] {
        var values: [String: SyncValue] = [:]
        for (name, rule) in server.schema.entities[state.entity]!.registers {
            var value = state[name]
            if case .position = rule { continue }
            if let raw = value.reference {
                let target = resolved(raw)
                value = shown.contains(target) ? .reference(target) : .null
                if case .reference(let rule) = rule, let inverse = rule.inverse, !value.isNull,
                    let place = state.registers[name + "#"] ?? place(of: rule, inverse)
                {
                    let joined = state.registers[name]!.stamp
                    let member = OrderedMember(id: id, position: place.value, joined: joined)
                    members[target, default: [:]][inverse, default: []].append(member)
                }
            }
            if !value.isNull { values[name] = value }
        }
        return values
    }

    /// Returns the place of a member that never got one; nil if the members have no order.
    private func place(of rule: ReferenceRule, _ inverse: String) -> Register? {
        let isOrdered = server.schema.entities[rule.target]?.collections[inverse]?.isOrdered ?? false
        return isOrdered ? .value(.null, .never) : nil
    }

    private func resolved(_ id: SyncID) -> SyncID {
        storage.rows[.object(id)]?.state.alias.map(resolved) ?? id
    }

    /// The living objects that have what they cannot be without.
    private func shownObjects() -> Set<SyncID> {
        var shown = Set(storage.rows.filter { $0.value.state.isAlive }.keys.compactMap(\.object))
        func isComplete(_ id: SyncID) -> Bool {
            let state = storage.rows[.object(id)]!.state
            return server.schema.entities[state.entity]!.references.allSatisfy { reference in
                reference.rule.isOptional
                    || state[reference.name].reference.map { shown.contains(resolved($0)) } ?? false
            }
        }
        while let parked = shown.first(where: { !isComplete($0) }) { shown.remove(parked) }
        return shown
    }
}
