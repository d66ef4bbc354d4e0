import CoreDataSyncCore

/// Making an import.
extension SimStore {
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
        for planned in plan.rows where planned.local == nil {
            if rows.contains(where: { ledger.id(of: $0) == nil && hasIdentity(planned.id, $1, ledger) }) {
                return false
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

    /// Whether an object is known by an ID as soon as it is captured.
    private func hasIdentity(_ id: SyncID, _ row: Row, _ ledger: DictionaryLedger) -> Bool {
        guard let names = schema.entities[row.entity]?.identity, !names.isEmpty else { return false }
        let values = names.map { row.values[$0]?.attribute ?? .null }
        return !values.contains(.null) && ledger.resolved(SyncID(entity: row.entity, identity: values)) == id
    }
}
