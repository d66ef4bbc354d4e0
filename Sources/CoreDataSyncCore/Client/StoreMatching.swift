/// Finds out which objects of a store are which of the server's, where no ledger tells: the store is an older
/// copy, or came from another device.
///
/// An object is known by its identity, by a unique value, or by all of its values; of several with equal values
/// that one is taken whose surroundings are alike farthest. Those that are alike in everything stand for each
/// other.
struct StoreMatching {
    /// The objects of the server by those of the store.
    private(set) var ids: [LocalKey: SyncID] = [:]

    private let schema: SyncSchema
    /// What is not matched yet.
    private var rows: [LocalKey: CapturedRow]
    private var states: [SyncID: ItemState] = [:]

    /// - Parameter items: All items that the server has.
    init(rows: [CapturedRow], items: [ItemKey: ItemState], schema: SyncSchema) {
        self.schema = schema
        self.rows = Dictionary(rows.map { ($0.local, $0) }, uniquingKeysWith: { $1 })
        for (key, state) in items { if let id = key.object, state.isAlive { states[id] = state } }
        matchIdentities()
        matchUniqueValues()
        matchLooks(graph(of: rows), graph(of: items))
    }

    private mutating func match(_ local: LocalKey, _ id: SyncID) {
        ids[local] = id
        rows[local] = nil
        states[id] = nil
    }

    // MARK: Values that only one object has

    private mutating func matchIdentities() {
        for (local, row) in rows.sorted(by: { $0.key < $1.key }) {
            guard let id = row.identity(schema), states[id]?.entity == row.entity else { continue }
            match(local, id)
        }
    }

    private mutating func matchUniqueValues() {
        var holders: [UniqueValue: SyncID] = [:]
        for (id, state) in states {
            for rule in schema.entities[state.entity]?.unique ?? [] {
                if let value = state.value(of: rule) { holders[value] = id }
            }
        }
        for (local, row) in rows.sorted(by: { $0.key < $1.key }) {
            let values = (schema.entities[row.entity]?.unique ?? []).compactMap { row.state.value(of: $0) }
            let holder = values.compactMap { holders[$0] }.first { states[$0]?.entity == row.entity }
            if let holder { match(local, holder) }
        }
    }

    // MARK: Looks

    private mutating func matchLooks(_ here: ObjectGraph<LocalKey>, _ there: ObjectGraph<SyncID>) {
        let count = 6
        let (near, far) = (here.circles(count), there.circles(count))
        for circle in (0..<count).reversed() where !rows.isEmpty {
            var candidates = Dictionary(grouping: states.keys.sorted { $0 > $1 }) { far[circle][$0] ?? 0 }
            for local in rows.keys.sorted() {
                guard let look = near[circle][local], let id = candidates[look]?.popLast() else { continue }
                match(local, id)
            }
        }
    }

    private func graph(of rows: [CapturedRow]) -> ObjectGraph<LocalKey> {
        var graph = ObjectGraph<LocalKey>()
        for row in rows {
            graph.looks[row.local] = ids[row.local].map(look) ?? look(row.state)
            for (name, value) in row.values {
                guard case .object(let target) = value else { continue }
                graph.lines.append(.init(name: name, from: row.local, to: target))
            }
            for (side, partners) in row.partners where side.isFirst {
                graph.lines += partners.map { .init(name: side.name, from: row.local, to: $0) }
            }
        }
        return graph
    }

    private func graph(of items: [ItemKey: ItemState]) -> ObjectGraph<SyncID> {
        var graph = ObjectGraph<SyncID>()
        let known = Set(ids.values)
        func resolved(_ id: SyncID) -> SyncID { items[.object(id)]?.alias.map(resolved) ?? id }
        for (key, state) in items {
            switch key {
            case .object(let id) where state.isAlive:
                graph.looks[id] = known.contains(id) ? look(id) : look(state)
                for reference in schema.entities[state.entity]?.references ?? [] {
                    guard let target = state[reference.name].reference else { continue }
                    graph.lines.append(.init(name: reference.name, from: id, to: resolved(target)))
                }
            case .pair(let name, let first, let second) where state.isPresent:
                graph.lines.append(.init(name: name, from: first, to: second))
            default: break
            }
        }
        return graph
    }

    private func look(_ id: SyncID) -> UInt64 { SyncValue.reference(id).stableHash }

    private func look(_ state: ItemState) -> UInt64 {
        var hash = CanonicalHash()
        hash.append(.string(state.entity))
        for value in schema.entities[state.entity]?.values ?? [] {
            if case .reference = value.rule { continue }
            hash.append(state[value.name])
        }
        return hash.value
    }
}

extension CapturedRow {
    /// Returns the ID that an object has by the values of its identity; nil if it has none.
    package func identity(_ schema: SyncSchema) -> SyncID? {
        guard let names = schema.entities[entity]?.identity, !names.isEmpty else { return nil }
        let state = state
        let values = names.map { state[$0] }
        return values.contains(.null) ? nil : SyncID(entity: entity, identity: values)
    }

    /// The object as if it had come from a server, without what it refers to.
    var state: ItemState {
        let plain = values.compactMapValues { value -> Register? in
            if case .plain(let value) = value { .value(value, .never) } else { nil }
        }
        return ItemState(
            entity: entity, existence: Existence(length: 1, stamp: .never), registers: plain)
    }
}
