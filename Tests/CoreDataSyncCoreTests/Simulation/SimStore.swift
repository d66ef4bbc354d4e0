import CoreDataSyncCore

/// The store of an app, as a dictionary: objects, ordered members, pairs, and a history of saves.
struct SimStore {
    struct Row: Equatable {
        var entity: String
        var values: [String: LocalValue] = [:]
        /// The members of ordered relationships.
        var lists: [String: [LocalKey]] = [:]
    }

    struct Pair: Hashable {
        var name: String
        var first: LocalKey
        var second: LocalKey
    }

    struct Save {
        var number: UInt64
        var milliseconds: UInt64
        var isImport: Bool
        var changed: Set<LocalKey>
        var deleted: Set<LocalKey>
    }

    let schema: SyncSchema
    private(set) var rows: [LocalKey: Row] = [:]
    private(set) var pairs: Set<Pair> = []
    private(set) var history: [Save] = []
    private(set) var lastNumber: UInt64 = 0
    var lastBatch: SyncID?
    private var prunedThrough: UInt64 = 0
    private var nextKey = 1

    init(schema: SyncSchema) {
        self.schema = schema
    }

    // MARK: Saving

    /// Edits inside one save.
    mutating func save(_ milliseconds: UInt64, isImport: Bool = false, _ edit: (inout Editor) -> Void) {
        // The rows move into the editor and back, so that they are never copied.
        var editor = Editor(store: consume self)
        edit(&editor)
        self = editor.store
        guard !editor.changed.isEmpty || !editor.deleted.isEmpty else { return }
        lastNumber += 1
        history.append(
            Save(
                number: lastNumber, milliseconds: milliseconds, isImport: isImport,
                changed: editor.changed.subtracting(editor.deleted), deleted: editor.deleted))
    }

    struct Editor {
        var store: SimStore
        var changed: Set<LocalKey> = []
        var deleted: Set<LocalKey> = []

        mutating func insert(_ entity: String, as key: LocalKey? = nil) -> LocalKey {
            let key = key ?? store.reserveKey()
            store.rows[key] = Row(entity: entity)
            changed.insert(key)
            return key
        }

        mutating func set(_ value: LocalValue?, _ name: String, of key: LocalKey) {
            guard let row = store.rows[key], row.values[name] != value else { return }
            changed.insert(key)
            store.rows[key]?.values[name] = value
            guard case .reference(let rule) = store.schema.entities[row.entity]?.registers[name],
                let inverse = rule.inverse
            else { return }
            if case .object(let owner) = row.values[name] {
                store.rows[owner]?.lists[inverse]?.removeAll { $0 == key }
                changed.insert(owner)
            }
            if case .object(let owner) = value, let entity = store.rows[owner]?.entity {
                changed.insert(owner)
                if store.schema.entities[entity]?.collections[inverse]?.isOrdered ?? false {
                    store.rows[owner]?.lists[inverse, default: []].append(key)
                }
            }
        }

        mutating func order(_ members: [LocalKey], _ relationship: String, of owner: LocalKey) {
            guard store.rows[owner]?.lists[relationship] ?? [] != members else { return }
            changed.insert(owner)
            store.rows[owner]?.lists[relationship] = members
        }

        mutating func set(_ isPresent: Bool, _ pair: Pair) {
            let isNew = isPresent ? store.pairs.insert(pair).inserted : store.pairs.remove(pair) != nil
            guard isNew, let rule = store.schema.pairs[pair.name] else { return }
            changed.formUnion([pair.first, pair.second])
            list(isPresent, pair.second, rule.first, of: pair.first)
            list(isPresent, pair.first, rule.second, of: pair.second)
        }

        /// Adds a partner to the list of an ordered side, or removes it.
        private mutating func list(
            _ isPresent: Bool, _ partner: LocalKey, _ side: PairRule.Side, of key: LocalKey
        ) {
            guard side.isOrdered, let name = side.relationship else { return }
            if isPresent {
                store.rows[key]?.lists[name, default: []].append(partner)
            } else {
                store.rows[key]?.lists[name]?.removeAll { $0 == partner }
            }
        }

        /// Deletes an object; what refers to it loses the reference.
        mutating func delete(_ key: LocalKey) {
            guard store.rows[key] != nil else { return }
            for (other, row) in store.rows.sorted(by: { $0.key < $1.key }) {
                for name in row.values.keys.sorted() where row.values[name] == .object(key) {
                    set(nil, name, of: other)
                }
            }
            for (name, value) in (store.rows[key]?.values ?? [:]).sorted(by: { $0.key < $1.key }) {
                if case .object = value { set(nil, name, of: key) }
            }
            for pair in store.pairs where pair.first == key || pair.second == key { set(false, pair) }
            store.rows[key] = nil
            deleted.insert(key)
        }
    }

    mutating func reserveKey() -> LocalKey {
        defer { nextKey += 1 }
        return String("r\(100_000 + nextKey)")
    }

    mutating func prune() { prunedThrough = lastNumber }

    // MARK: Capturing

    func capture(since token: UInt64?) -> Capture {
        guard let token, token >= prunedThrough else {
            let latest = history.last?.milliseconds ?? 0
            return Capture(
                token: lastNumber, isWhole: true, rows: rows.keys.sorted().map { captured($0, latest) },
                deleted: [:])
        }
        var changed: [LocalKey: UInt64] = [:]
        var deleted: [LocalKey: UInt64] = [:]
        for save in history.suffix(Int(lastNumber - min(token, lastNumber))) where !save.isImport {
            for key in save.changed { changed[key] = save.milliseconds }
            for key in save.deleted { deleted[key] = save.milliseconds }
        }
        let present = changed.filter { rows[$0.key] != nil }.sorted { $0.key < $1.key }
        return Capture(
            token: lastNumber, isWhole: false, rows: present.map { captured($0.key, $0.value) },
            deleted: deleted)
    }

    private func captured(_ key: LocalKey, _ milliseconds: UInt64) -> CapturedRow {
        let row = rows[key]!
        var partners: [PairSide: Set<LocalKey>] = [:]
        for (name, rule) in schema.pairs {
            if schema.isKind(row.entity, of: rule.first.entity) {
                partners[PairSide(name: name, isFirst: true)] = Set(
                    pairs.filter { $0.name == name && $0.first == key }.map(\.second))
            }
            if schema.isKind(row.entity, of: rule.second.entity) {
                partners[PairSide(name: name, isFirst: false)] = Set(
                    pairs.filter { $0.name == name && $0.second == key }.map(\.first))
            }
        }
        var lists = row.lists
        for (name, rule) in schema.entities[row.entity]?.collections ?? [:] where rule.isOrdered {
            lists[name] = lists[name] ?? []
        }
        for side in partners.keys.compactMap(schema.rule) where side.isOrdered {
            if let name = side.relationship { lists[name] = lists[name] ?? [] }
        }
        return CapturedRow(
            local: key, entity: row.entity, milliseconds: milliseconds, values: row.values, lists: lists,
            partners: partners)
    }

    /// Returns a value under the names that all devices know; nil if one is not known yet.
    func shown(_ value: LocalValue?, _ ledger: DictionaryLedger) -> SyncValue? {
        switch value {
        case nil: .null
        case .plain(let plain): plain
        case .object(let local): ledger.id(of: local).map { .reference($0) }
        }
    }
}
