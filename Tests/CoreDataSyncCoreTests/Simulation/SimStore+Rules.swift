import CoreDataSyncCore

/// What a store does not take: values that are not unique, objects without what they need, and what the app says no to.
extension SimStore {
    func rejections(
        _ plan: ImportPlan, _ created: [SyncID: LocalKey], _ accepts: (ImportPlan.Row) -> Bool
    ) -> [SyncID: String] {
        var planned: [LocalKey: ImportPlan.Row] = [:]
        for row in plan.rows { if let key = row.local ?? created[row.id] { planned[key] = row } }
        /// Returns the values of an object of an entity after the import; nil if it has none of one.
        func values(_ key: LocalKey, _ rule: UniqueRule) -> [SyncValue]? {
            let row = planned[key]
            guard row?.isDeleted != true, schema.isKind(row?.entity ?? rows[key]!.entity, of: rule.entity)
            else {
                return nil
            }
            let values = rule.attributes.map { name -> SyncValue in
                if let value = row?.values[name]?.value { return value }
                return if case .plain(let value) = rows[key]?.values[name] { value } else { .null }
            }
            return values.contains(.null) ? nil : values
        }
        let keys = Set(rows.keys).union(planned.keys)
        var reasons: [SyncID: String] = [:]
        for (key, row) in planned {
            for rule in row.isDeleted ? [] : schema.entities[row.entity]!.unique
            where rule.attributes.contains(where: { row.values[$0] != nil }) {
                guard let wanted = values(key, rule) else { continue }
                let isTaken = keys.contains { $0 != key && values($0, rule) == wanted }
                if isTaken { reasons[row.id] = "the value is not unique" }
            }
            let lacks = schema.entities[row.entity]!.references.contains { reference in
                !reference.rule.isOptional && row.values[reference.name]?.value.isNull ?? false
            }
            if lacks, !row.isDeleted { reasons[row.id] = "a value is missing" }
            if !accepts(row) { reasons[row.id] = "not now" }
        }
        return reasons
    }

    /// Whether two objects have one unique value.
    var hasTwins: Bool {
        var seen: [UniqueRule: Set<[SyncValue]>] = [:]
        for row in rows.values {
            for rule in schema.entities[row.entity]!.unique {
                let values = rule.attributes.map { name -> SyncValue in
                    if case .plain(let value) = row.values[name] { value } else { .null }
                }
                guard !values.contains(.null) else { continue }
                if !seen[rule, default: []].insert(values).inserted { return true }
            }
        }
        return false
    }
}
