internal import CoreData
internal import CoreDataSyncCore
internal import Foundation

/// The writer of imports into the app's store: each is prepared, which names its new objects, and saved once
/// the ledger has these names.
struct StoreImporter: Sendable {
    let reader: StoreReader
    private var prepared: Prepared?

    /// An import whose changes are in a context.
    private struct Prepared: Sendable {
        let batch: SyncID
        let plan: ImportPlan
        let context: NSManagedObjectContext
        let objects: [SyncID: NSManagedObjectID]
    }

    enum Outcome: Hashable, Sendable {
        /// The import is in the store, and with it what the app's code has done to other objects meanwhile.
        case done(strays: Set<LocalKey>)
        /// The store was changed meanwhile. Nothing of the import is in it.
        case refused
        /// The rules of the model or the app's classes do not take these objects. Nothing of the import is in
        /// it.
        case rejected([SyncID: String])
    }

    init(_ reader: StoreReader) { self.reader = reader }

    private static func name(_ batch: SyncID) -> String { "sync.\(batch)" }

    /// Puts the changes of an import into a context, and returns the names of its new objects; nil if the
    /// store has what the ledger does not know.
    mutating func prepare(
        _ batch: SyncID, _ plan: ImportPlan, _ ledger: TrackedLedger
    ) async throws -> [SyncID: LocalKey]? {
        prepared = nil
        ledger.load(plan.workingSet)
        let targets = plan.rows.lazy.filter { $0.local != nil }.compactMap { ledger.entry(.object($0.id)) }
            .flatMap(\.targets)
        ledger.load(WorkingSet(entries: targets.map(ItemKey.object)))
        let context = reader.access.makeContext()
        context.name = Self.name(batch)
        let made = try await context.perform {
            [reader] () -> ([SyncID: LocalKey], [SyncID: NSManagedObjectID])? in
            var draft = ImportDraft(plan, ledger, reader, context)
            do { try draft.make() } catch is ImportDraft.Refusal { return nil }
            return (draft.created, draft.objects.mapValues(\.objectID))
        }
        guard let made else { return nil }
        prepared = Prepared(batch: batch, plan: plan, context: context, objects: made.1)
        return made.0
    }

    /// Saves a prepared import. Returns nil if there is none of that name.
    ///
    /// - Parameter position: Where the history was read last.
    mutating func commit(
        _ batch: SyncID, _ ledger: TrackedLedger, since position: HistoryPosition?
    ) async throws -> Outcome? {
        guard let prepared, prepared.batch == batch else { return nil }
        self.prepared = nil
        let made = prepared.plan.rows.filter { $0.local == nil }
        guard try await !reader.hasMade(made, since: position, ledger) else { return .refused }
        let ids = Set(made.map(\.id))
        return try await prepared.context.perform { [reader] in
            var set = prepared.plan.workingSet
            let known = prepared.objects.filter { !ids.contains($0.key) }
            set.names = Set(known.values.compactMap { reader.binding.local($0) })
            ledger.load(set)
            // They are looked at once more after the save.
            prepared.context.retainsRegisteredObjects = true
            let hooked = HookedValues(before: prepared.plan, prepared.objects, reader, in: prepared.context)
            let saved: SavedObjects
            do {
                saved = try prepared.context.saveListing()
            } catch  where Self.conflicts.contains((error as NSError).code) {
                return .refused
            } catch {
                let reasons = Self.reasons(error, prepared)
                guard !reasons.isEmpty else { throw error }
                return .rejected(reasons)
            }
            let edited = try hooked.takeBack(in: prepared.context)
            let strays = try StrayEdits(reader, prepared.plan, prepared.objects, ledger)
                .objects(among: saved, in: prepared.context)
            return .done(strays: strays.union(edited.compactMap { reader.binding.local($0) }))
        }
    }

    /// Returns the objects that an error of validation names, and why; none for another error.
    private static func reasons(_ error: any Error, _ prepared: Prepared) -> [SyncID: String] {
        let ids = Dictionary(prepared.objects.map { ($0.value, $0.key) }) { $1 }
        let error = error as NSError
        var result: [SyncID: String] = [:]
        for error in error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error] {
            guard let object = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject,
                let id = ids[object.objectID]
            else { continue }
            result[id] = error.localizedDescription
        }
        return result
    }

    /// Errors of saves to a store that was changed meanwhile.
    private static let conflicts: Set<Int> = [
        NSManagedObjectMergeError, NSManagedObjectConstraintMergeError,
        NSManagedObjectReferentialIntegrityError,
    ]

    /// Whether the store has an import of an earlier run.
    ///
    /// The history tells, by the name of the import's context. If it does not reach back that far, objects
    /// that only the import can have made tell, or else whether more of what it writes is there than of what
    /// was there before.
    func contains(
        _ intent: ImportIntent, _ position: HistoryPosition?, _ ledger: TrackedLedger
    ) async throws -> Bool {
        let context = reader.access.makeContext()
        return try await context.perform { [reader] in
            if let position,
                let history = try StoreHistory(after: position, of: reader.access, in: context)
            {
                return history.imports.contains(Self.name(intent.batch))
            }
            return try reader.shows(intent, ledger, in: context)
        }
    }
}

extension StoreReader {
    /// Whether a store shows what an import would have written.
    fileprivate func shows(
        _ intent: ImportIntent, _ ledger: TrackedLedger, in context: NSManagedObjectContext
    ) throws -> Bool {
        func object(_ local: LocalKey?) -> NSManagedObject? {
            guard let id = local.flatMap({ binding.objectID($0, in: access) }) else { return nil }
            return try? context.existingObject(with: id)
        }
        if !intent.created.isEmpty { return intent.created.values.contains { object($0) != nil } }
        var votes = 0
        for (key, entry) in intent.entries {
            let known = ledger.entry(key)
            guard let local = known?.local else { continue }
            guard let entry, entry.local != nil else {
                votes += object(local) == nil ? 1 : -1
                continue
            }
            guard let object = object(entry.local), let binding = binding.entity(named: object.entity.name)
            else { continue }
            for register in binding.registers {
                let before = known?.registers[register.name]?.shown ?? SyncValue.null.stableHash
                let after = entry.registers[register.name]?.shown ?? SyncValue.null.stableHash
                guard before != after else { continue }
                let present: SyncValue? =
                    switch try value(of: register, object) {
                    case nil: .null
                    case .plain(let plain): plain
                    case .object(let local): ledger.id(of: local).map { .reference($0) }
                    }
                if present?.stableHash == after { votes += 1 }
                if present?.stableHash == before { votes -= 1 }
            }
        }
        return votes > 0
    }
}

extension ImportPlan {
    /// The entries of the ledger that carrying out the plan asks for.
    fileprivate var workingSet: WorkingSet {
        var set = WorkingSet(entries: rows.lazy.map { .object($0.id) })
        for value in rows.lazy.flatMap(\.values.values) {
            if let target = value.value.reference { set.entries.insert(.object(target)) }
        }
        for list in lists {
            set.entries.formUnion(([list.owner] + list.expected + list.members).map(ItemKey.object))
        }
        for case .pair(_, let first, let second) in pairs.lazy.map(\.key) {
            set.entries.formUnion([.object(first), .object(second)])
        }
        return set
    }
}

extension EntityBinding.Register {
    /// Returns the attributes of the register with their parts of a value; none of a reference.
    func attributes(of value: SyncValue) -> [(AttributeBinding, SyncValue)] {
        switch place {
        case .attribute(let attribute): return [(attribute, value)]
        case .reference: return []
        case .group(let elements):
            var values: [String: SyncValue] = [:]
            if case .composite(let parts) = value {
                values = Dictionary(parts.map { ($0.name, $0.value) }) { $1 }
            }
            return elements.map { ($0, values[$0.element] ?? .null) }
        }
    }
}
