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
    private(set) var lastBatch: SyncID?
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

    // MARK: Importing

    enum ImportOutcome: Equatable {
        case done
        /// Something was edited since the capture.
        case refused
        /// These objects break a rule of the store or the app.
        case rejected([SyncID: String])

        func event(_ batch: SyncID) -> SyncEvent {
            switch self {
            case .done: .imported(batch: batch)
            case .refused: .importRefused(batch: batch)
            case .rejected(let reasons): .importRejected(batch: batch, reasons)
            }
        }
    }

    /// Makes an import in one save, if nothing was edited since its capture, and the store's rules hold.
    ///
    /// - Parameter accepts: What the app says of an object that is to be written or deleted.
    mutating func commit(
        _ plan: ImportPlan, _ batch: SyncID, created: [SyncID: LocalKey], _ ledger: DictionaryLedger,
        _ milliseconds: UInt64, isGuarded: Bool, accepts: (ImportPlan.Row) -> Bool = { _ in true }
    ) -> ImportOutcome {
        var locals = created
        for row in plan.rows { if let local = row.local { locals[row.id] = local } }
        func local(_ id: SyncID) -> LocalKey? { locals[id] ?? ledger.entry(.object(id))?.local }
        if isGuarded, !isUntouched(plan, ledger, local) { return .refused }
        let reasons = rejections(plan, created, accepts)
        guard reasons.isEmpty else { return .rejected(reasons) }
        save(milliseconds, isImport: true) { editor in
            for row in plan.rows where row.local == nil {
                _ = editor.insert(row.entity, as: created[row.id]!)
            }
            for row in plan.rows where !row.isDeleted {
                for (name, value) in row.values.sorted(by: { $0.key < $1.key }) {
                    let key = local(row.id)!
                    switch value.value {
                    case .null: editor.set(nil, name, of: key)
                    case .reference(let target): editor.set(local(target).map { .object($0) }, name, of: key)
                    case let plain: editor.set(.plain(plain), name, of: key)
                    }
                }
            }
            for pair in plan.pairs {
                guard case .pair(let name, let first, let second) = pair.key, let a = local(first),
                    let b = local(second)
                else { continue }
                editor.set(pair.isPresent, Pair(name: name, first: a, second: b))
            }
            for row in plan.rows where row.isDeleted { editor.delete(local(row.id)!) }
            for list in plan.lists {
                editor.order(list.members.map { local($0)! }, list.relationship, of: local(list.owner)!)
            }
            // A save that changes nothing is a save all the same.
            editor.changed.insert("import")
        }
        lastBatch = batch
        return .done
    }

    private func isUntouched(
        _ plan: ImportPlan, _ ledger: DictionaryLedger, _ local: (SyncID) -> LocalKey?
    ) -> Bool {
        let deleted = Set(plan.rows.filter(\.isDeleted).compactMap(\.local))
        let made = Set(plan.rows.filter { $0.local == nil }.map(\.id))
        for planned in plan.rows where !planned.isDeleted {
            for value in planned.values.values {
                guard let target = value.value.reference, !made.contains(target) else { continue }
                guard let key = local(target), rows[key] != nil else { return false }
            }
        }
        for planned in plan.rows {
            guard let key = planned.local else { continue }
            guard let row = rows[key] else { return false }
            for (name, value) in planned.values {
                guard let shown = shown(row.values[name], ledger), shown.stableHash == value.expected else {
                    return false
                }
            }
        }
        // What was made since and refers to an object that is to be deleted is not captured yet.
        let rewritten = Dictionary(
            plan.rows.compactMap { row in row.local.map { ($0, row) } }, uniquingKeysWith: { $1 })
        for (key, row) in rows where !deleted.isEmpty && !deleted.contains(key) {
            for (name, value) in row.values {
                if case .object(let target) = value, deleted.contains(target),
                    rewritten[key]?.values[name] == nil
                {
                    return false
                }
            }
        }
        for list in plan.lists {
            guard let owner = local(list.owner) else { return false }
            let present = rows[owner]?.lists[list.relationship] ?? []
            guard present == list.expected.map({ local($0) ?? "" }) else { return false }
        }
        for pair in plan.pairs {
            guard case .pair(let name, let first, let second) = pair.key else { return false }
            guard let a = local(first), let b = local(second) else { continue }
            let isThere = [(first, a), (second, b)].allSatisfy { made.contains($0.0) || rows[$0.1] != nil }
            if pair.isPresent, !isThere { return false }
            let isGone = deleted.contains(a) || deleted.contains(b)
            if !isGone, pairs.contains(Pair(name: name, first: a, second: b)) == pair.isPresent {
                return false
            }
        }
        return true
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
