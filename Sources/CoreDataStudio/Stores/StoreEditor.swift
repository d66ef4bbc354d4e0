import CoreData
import CoreDataJSON
import CoreDataModelFormat
import CoreDataStore
import CoreDataStudioInterface
import CoreDataTool
import Foundation
import Synchronization

/// The pending changes of a store: edits as values, in one context that is made anew from them.
///
/// A step back forgets the last edits and carries out those before it again, on the rows as they are now.
/// Nothing is locked until a save, which is one transaction.
final class StoreEditor: Sendable {
    private let context: NSManagedObjectContext
    private let source: RowSource
    private let backup: StoreBackup?
    private let state = Mutex(State())

    private struct State {
        var saved: [EditStep] = []
        var pending: [EditStep] = []
        var undone: [EditStep] = []
        var names = ObjectNames()
        var bases: [EditedValue: JSONValue] = [:]
        var versions: [String: Int64] = [:]
        var revision = 0
        var backupPath: String?
        var isBackedUp = false
    }

    private static let mostSteps = 500

    init(_ source: RowSource, backup: StoreBackup?) {
        self.source = source
        self.backup = backup
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = source.coordinator
        context.undoManager = nil
        // Rows are read anew whenever edits are carried out again.
        context.stalenessInterval = 0
        context.transactionAuthor = "coredata studio"
    }

    /// Runs on the context's queue, one caller after the other.
    private func changing(_ body: (inout State) throws -> Void) throws -> JSONValue {
        try state.withLock { state in
            try context.performAndWait {
                try body(&state)
                state.revision += 1
                return pending(state)
            }
        }
    }

    var pending: JSONValue {
        state.withLock { state in context.performAndWait { pending(state) } }
    }

    // MARK: Edits

    /// Carries out what a page sent as one step. If a part of it is refused, nothing is changed.
    func perform(_ body: JSONValue) throws -> JSONValue {
        guard case .array(let list) = body["edits"] ?? .null, !list.isEmpty else {
            throw StoreFailures.malformed("\"edits\" is no list of edits")
        }
        return try changing { state in
            let names = state.names
            do {
                let edits = try list.map { json in
                    try StoreEdit(json) { entity in state.names.newName(of: entity) }
                }
                let step = EditStep(title: body["title"]?.string ?? edits[0].title, edits: edits)
                try carryOut(step, &state)
                state.undone = []
            } catch {
                state.names = names
                try rebuild(&state)
                throw error
            }
        }
    }

    private func carryOut(_ step: EditStep, _ state: inout State) throws {
        var run = EditRun(context, source, state.names, bases: state.bases, versions: state.versions)
        var step = step
        step.inverse = try run.perform(step.edits)
        (state.names, state.bases, state.versions) = (run.names, run.bases, run.versions)
        state.pending.append(step)
    }

    /// Carries out all pending edits again, on the rows as they are now.
    private func rebuild(_ state: inout State) throws {
        context.reset()
        source.backend.expireReads()
        state.names.inserted = [:]
        let steps = state.pending
        state.pending = []
        for step in steps {
            let kept = (state.bases, state.versions)
            try carryOut(step, &state)
            // What was read first counts, not what another writer has stored since.
            state.bases.merge(kept.0) { _, first in first }
            state.versions.merge(kept.1) { _, first in first }
        }
    }

    func undo() throws -> JSONValue {
        try changing { state in
            if let step = state.pending.popLast() {
                if step.undone.isEmpty { state.undone.append(step) } else { state.saved += step.undone }
                dropUnusedBases(&state)
                try rebuild(&state)
            } else if let step = state.saved.popLast() {
                let edits = renewed(step.inverse, &state)
                do {
                    try carryOut(
                        EditStep(title: "Undo \(step.title)", edits: edits, undone: [step]), &state)
                } catch {
                    state.saved.append(step)
                    try rebuild(&state)
                    throw error
                }
            } else {
                throw StudioFailure(.refused, "there is nothing to undo")
            }
        }
    }

    /// Gives objects that are made again names of new objects.
    private func renewed(_ edits: [StoreEdit], _ state: inout State) -> [StoreEdit] {
        edits.map { edit in
            guard case .insert(let object, let values) = edit else { return edit }
            let new = state.names.newName(of: String(object.prefix { $0 != "/" }))
            state.names.rename(state.names.current(object), to: new)
            return .insert(object: new, values: values)
        }
    }

    func redo() throws -> JSONValue {
        try changing { state in
            guard let step = state.undone.popLast() else {
                throw StudioFailure(.refused, "there is nothing to do again")
            }
            try carryOut(step, &state)
        }
    }

    /// Forgets pending edits: of one object, or all.
    func discard(_ object: String?) throws -> JSONValue {
        try changing { state in
            if let object {
                for index in state.pending.indices {
                    state.pending[index].edits.removeAll { $0.object == object }
                }
                state.pending.removeAll { $0.edits.isEmpty }
            } else {
                for step in state.pending { state.saved += step.undone }
                state.pending = []
            }
            state.undone = []
            dropUnusedBases(&state)
            do {
                try rebuild(&state)
            } catch {
                // Later edits needed what was discarded.
                state.pending = []
                try rebuild(&state)
            }
        }
    }

    private func dropUnusedBases(_ state: inout State) {
        let edits = state.pending.flatMap(\.edits)
        let used = Set(
            edits.compactMap { edit in
                if case .set(let object, let key, _) = edit {
                    EditedValue(object: object, key: key)
                } else {
                    nil
                }
            })
        let deleted = Set(
            edits.compactMap { edit in if case .delete(let object) = edit { object } else { nil } })
        state.bases = state.bases.filter { used.contains($0.key) }
        state.versions = state.versions.filter { deleted.contains($0.key) }
    }

    // MARK: Saving

    /// Saves all pending edits in one transaction.
    ///
    /// Throws a conflict that lists what other writers changed since it was read, value by value, unless `keep`
    /// says for each whether mine or theirs is kept.
    func save(_ body: JSONValue) throws -> JSONValue {
        try changing { state in
            guard !state.pending.isEmpty else { return }
            try resolve(body["keep"] ?? .null, &state)
            for attempt in 1...3 {
                try rebuildForSave(&state)
                let conflicts = try conflicts(state)
                guard conflicts.isEmpty else {
                    throw StudioFailure(
                        .conflict, "other writers have changed what is to be saved",
                        [.init("conflicts", .array(conflicts))])
                }
                let problems = PendingChanges(context, source, state.names).problems
                guard problems.isEmpty else {
                    throw StudioFailure(
                        .refused, "the model does not allow the changes",
                        [.init("problems", .array(problems))])
                }
                try makeBackup(&state)
                do {
                    try commit(&state)
                    return
                } catch CocoaError.managedObjectMerge where attempt < 3 {
                    // Another writer was faster: look again.
                    continue
                }
            }
        }
    }

    private func rebuildForSave(_ state: inout State) throws {
        let steps = state.pending
        do {
            try rebuild(&state)
        } catch {
            state.pending = steps
            guard let gone = gone(steps, state) else { throw error }
            throw StudioFailure(
                .conflict, "\(gone) was deleted by another writer",
                [
                    .init(
                        "conflicts",
                        .array([.object([.init("object", .string(gone)), .init("kind", .string("deleted"))])])
                    )
                ])
        }
    }

    /// Returns the first object of the edits that no longer exists.
    private func gone(_ steps: [EditStep], _ state: State) -> String? {
        steps.flatMap(\.edits).map { state.names.current($0.object) }.first { name in
            guard let row = try? source.row(named: name) else { return false }
            return (try? source.backend.snapshot(for: row) == nil) ?? false
        }
    }

    private func makeBackup(_ state: inout State) throws {
        guard let backup, !state.isBackedUp else { return }
        do {
            state.backupPath = try backup.make().path
            state.isBackedUp = true
        } catch {
            throw StudioFailure(
                .failed,
                "nothing was saved, since the store cannot be copied first: \(ErrorText.describe(error))")
        }
    }

    private func commit(_ state: inout State) throws {
        let inserted = state.names.inserted.compactMap { name, id in
            context.registeredObject(for: id).map { (name, $0) }
        }
        do {
            try context.save()
        } catch CocoaError.managedObjectMerge {
            throw CocoaError(.managedObjectMerge)
        } catch {
            throw StudioFailure(
                .refused, ErrorText.describe(error, naming: { state.names.name(of: $0) }))
        }
        for (name, object) in inserted { state.names.rename(name, to: object.objectID.rowName) }
        state.names.inserted = [:]
        state.saved += state.pending.map { step in
            EditStep(title: step.title, edits: step.edits, inverse: step.inverse)
        }
        state.saved.removeFirst(max(0, state.saved.count - Self.mostSteps))
        (state.pending, state.undone, state.bases, state.versions) = ([], [], [:], [:])
        context.reset()
    }

    // MARK: Conflicts

    private func conflicts(_ state: State) throws -> [JSONValue] {
        var found: [JSONValue] = []
        let run = EditRun(context, source, state.names)
        for (place, base) in state.bases.sorted(by: {
            ($0.key.object, $0.key.key) < ($1.key.object, $1.key.key)
        }) {
            guard let object = try? run.object(place.object),
                let slot = source.entity(of: object)?.slot(named: place.key)
            else { continue }
            let theirs = EditValue.committed(object, slot, state.names)
            let mine = EditValue.json(object, slot, state.names)
            guard theirs != base, theirs != mine else { continue }
            found.append(
                .object([
                    .init("object", .string(place.object)), .init("kind", .string("value")),
                    .init("key", .string(place.key)), .init("base", base), .init("theirs", theirs),
                    .init("mine", mine),
                ]))
        }
        for (name, version) in state.versions.sorted(by: { $0.key < $1.key }) {
            guard let row = try? source.row(named: name), let now = try source.backend.snapshot(for: row),
                now.version != version
            else { continue }
            found.append(.object([.init("object", .string(name)), .init("kind", .string("changed"))]))
        }
        return found
    }

    /// Takes over which of two values is kept: `[{object, key?, keep: "mine" | "theirs"}]`.
    private func resolve(_ choices: JSONValue, _ state: inout State) throws {
        guard case .array(let choices) = choices else { return }
        for choice in choices {
            guard let object = choice["object"]?.string, let keep = choice["keep"]?.string,
                keep == "mine" || keep == "theirs"
            else { throw StoreFailures.malformed("a choice names an object, and \"mine\" or \"theirs\"") }
            let key = choice["key"]?.string
            if keep == "theirs" {
                forget(object, key, &state)
            } else if let row = try? source.row(named: object),
                let now = try source.backend.snapshot(for: row)
            {
                if let key {
                    state.bases[EditedValue(object: object, key: key)] = try stored(key, of: object, state)
                } else {
                    state.versions[object] = now.version
                }
            }
        }
        state.pending.removeAll { $0.edits.isEmpty }
        dropUnusedBases(&state)
    }

    private func forget(_ object: String, _ key: String?, _ state: inout State) {
        for index in state.pending.indices {
            state.pending[index].edits.removeAll { edit in
                guard edit.object == object else { return false }
                guard let key else { return true }
                if case .set(_, key, _) = edit { return true }
                return false
            }
        }
    }

    /// Returns the value that the store has now.
    private func stored(_ key: String, of object: String, _ state: State) throws -> JSONValue {
        let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        reader.persistentStoreCoordinator = source.coordinator
        reader.stalenessInterval = 0
        source.backend.expireReads()
        return try reader.performAndWait {
            let run = EditRun(reader, source, state.names)
            let found = try run.object(object)
            guard let slot = source.entity(of: found)?.slot(named: key) else {
                throw StoreFailures.noObject(object)
            }
            return EditValue.committed(found, slot, state.names)
        }
    }

    // MARK: Answers

    private func pending(_ state: State) -> JSONValue {
        let changes = PendingChanges(context, source, state.names)
        return .object([
            .init("revision", .integer(Int64(state.revision))),
            .init("undo", (state.pending.last ?? state.saved.last).map { .string($0.title) } ?? .null),
            .init("redo", state.undone.last.map { .string($0.title) } ?? .null),
            .init("steps", .array(state.pending.map { .string($0.title) })),
            .init("changes", .array(changes.list)), .init("problems", .array(changes.problems)),
            .init("backup", state.backupPath.map { .string($0) } ?? .null),
        ])
    }

    /// Returns an object with its pending values; nil if it has none.
    func record(_ name: String) -> JSONValue? {
        state.withLock { state in
            context.performAndWait {
                let run = EditRun(context, source, state.names)
                guard let object = try? run.object(name), object.hasChanges else { return nil }
                return PendingChanges(context, source, state.names).record(object)
            }
        }
    }
}
