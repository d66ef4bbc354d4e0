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
    let rows: StoreRows
    let backup: StoreBackup?
    /// Tells all pages of a new revision.
    let announce: @Sendable (_ revision: Int) -> Void
    private let state: Mutex<State>

    struct State {
        /// The rows that the context is on.
        var source: RowSource
        var context: NSManagedObjectContext
        var saved: [EditStep] = []
        var pending: [EditStep] = []
        var undone: [EditStep] = []
        var names = ObjectNames()
        var bases: [EditedValue: JSONValue] = [:]
        var versions: [String: Int64] = [:]
        /// The number of changes, by which a page knows whether it has seen the last one.
        var revision = 0
        var backupPath: String?
        var isBackedUp = false
    }

    static let mostSteps = 10_000

    init(_ rows: StoreRows, backup: StoreBackup?, announce: @escaping @Sendable (Int) -> Void) {
        (self.rows, self.backup, self.announce) = (rows, backup, announce)
        let source = rows.source
        state = Mutex(State(source: source, context: Self.context(on: source)))
    }

    private static func context(on source: RowSource) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = source.coordinator
        context.undoManager = nil
        // Rows are read anew whenever edits are carried out again.
        context.stalenessInterval = 0
        context.transactionAuthor = "coredata studio"
        return context
    }

    // MARK: Access

    /// Runs with the rows as they were read last, one caller after the other.
    func withState<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
        try state.withLock { state in
            adopt(&state)
            return try body(&state)
        }
    }

    /// Goes on with the rows of a file that was read again, and carries out all edits on them.
    func adopt(_ state: inout State) {
        let source = rows.source
        guard source.backend !== state.source.backend else { return }
        (state.source, state.context) = (source, Self.context(on: source))
        // Of edits that the new rows do not allow, a save will tell which object is gone.
        try? inContext(&state) { try rebuild(&$0) }
    }

    /// Runs on the context's queue.
    func inContext<Value>(_ state: inout State, _ body: (inout State) throws -> Value) rethrows -> Value {
        try state.context.performAndWait { try body(&state) }
    }

    /// Changes what is pending, and tells all pages.
    ///
    /// - Parameter seen: The revision that the page saw, if only that one is to be changed.
    /// - Throws: A conflict if there is a later one.
    private func changing(
        seeing seen: Int? = nil, _ body: (inout State) throws -> Void
    ) throws -> JSONValue {
        try withState { state in
            if let seen, seen != state.revision {
                throw StudioFailure(.conflict, "another page has changed what is pending: look at it first")
            }
            state.revision += 1
            // Also after a failure: the edits may have been carried out on newer rows meanwhile.
            defer { announce(state.revision) }
            return try inContext(&state) { state in
                try body(&state)
                return answer(state)
            }
        }
    }

    var pending: JSONValue {
        withState { inContext(&$0) { answer($0) } }
    }

    // MARK: Edits

    /// Carries out what a page sent as one step. If a part of it is refused, nothing is changed.
    ///
    /// With `skipsRefused`, values that are refused are left out, and the answer says which and why.
    func perform(_ body: JSONValue) throws -> JSONValue {
        guard case .array(let list) = body["edits"] ?? .null, !list.isEmpty else {
            throw StoreFailures.malformed("\"edits\" is no list of edits")
        }
        let skipsRefused = body["skipsRefused"] == .boolean(true)
        var refused: [JSONValue] = []
        let answer = try changing { state in
            let names = state.names
            do {
                let edits = try list.map { json in
                    try StoreEdit(json) { entity in state.names.newName(of: entity) }
                }
                guard !skipsRefused || edits.allSatisfy(\.isValue) else {
                    throw StoreFailures.malformed("only values can be left out when they are refused")
                }
                let step = EditStep(title: body["title"]?.string ?? edits[0].title, edits: edits)
                let refusals = try carryOut(step, &state, skipsRefused: skipsRefused)
                refused = refusals.sorted { $0.key < $1.key }.map { index, failure in
                    .object([
                        .init("index", .integer(Int64(index))), .init("error", .string(failure.message)),
                    ])
                }
                if refused.count < edits.count { state.undone = [] }
            } catch {
                state.names = names
                try? rebuild(&state)
                throw error
            }
        }
        guard skipsRefused, case .object(let members) = answer else { return answer }
        return .object(members + [.init("refused", .array(refused))])
    }

    /// Carries out a step, which is pending then unless all of it was left out. Returns why parts of it were refused.
    @discardableResult
    private func carryOut(
        _ step: EditStep, _ state: inout State, skipsRefused: Bool = false
    ) throws -> [Int: StudioFailure] {
        var run = EditRun(
            state.context, state.source, state.names, bases: state.bases, versions: state.versions)
        var step = step
        step.inverse = try run.perform(step.edits, skipsRefused: skipsRefused)
        let refusals = run.refusals
        step.edits = step.edits.indices.filter { refusals[$0] == nil }.map { step.edits[$0] }
        (state.names, state.bases, state.versions) = (run.names, run.bases, run.versions)
        if !step.edits.isEmpty { state.pending.append(step) }
        return refusals
    }

    /// Carries out all pending edits again, on the rows as they are now. If one is refused, all stay pending.
    func rebuild(_ state: inout State) throws {
        if let failure = firstFailure(&state) { throw failure.error }
    }

    /// Carries out all pending edits again. Returns the step that was refused, if any; all steps stay pending.
    private func firstFailure(_ state: inout State) -> (index: Int, error: any Error)? {
        state.context.reset()
        state.source.backend.expireReads()
        state.names.inserted = [:]
        let steps = state.pending
        state.pending = []
        for (index, step) in steps.enumerated() {
            let kept = (state.bases, state.versions)
            do {
                try carryOut(step, &state)
            } catch {
                state.pending = steps
                return (index, error)
            }
            // What was read first counts, not what another writer has stored since.
            state.bases.merge(kept.0) { _, first in first }
            state.versions.merge(kept.1) { _, first in first }
        }
        return nil
    }

    /// Takes the last edits back, or those of the last save if nothing is pending.
    func undo(seeing seen: Int?) throws -> JSONValue {
        try changing(seeing: seen) { state in
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
                    try? rebuild(&state)
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

    func redo(seeing seen: Int?) throws -> JSONValue {
        try changing(seeing: seen) { state in
            guard let step = state.undone.popLast() else {
                throw StudioFailure(.refused, "there is nothing to do again")
            }
            do {
                try carryOut(step, &state)
            } catch {
                state.undone.append(step)
                try? rebuild(&state)
                throw error
            }
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
            // Later edits that needed what was discarded go with it.
            while let failure = firstFailure(&state) { state.pending.remove(at: failure.index) }
        }
    }

    func dropUnusedBases(_ state: inout State) {
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

    // MARK: Answers

    func answer(_ state: State) -> JSONValue {
        let changes = PendingChanges(state.context, state.source, state.names)
        return .object([
            .init("revision", .integer(Int64(state.revision))),
            .init("undo", (state.pending.last ?? state.saved.last).map { .string($0.title) } ?? .null),
            .init("redo", state.undone.last.map { .string($0.title) } ?? .null),
            .init("steps", .array(state.pending.map { .string($0.title) })),
            .init("changes", .array(changes.list)), .init("problems", .array(changes.problems)),
            .init("backup", state.backupPath.map { .string($0) } ?? .null),
        ])
    }
}
