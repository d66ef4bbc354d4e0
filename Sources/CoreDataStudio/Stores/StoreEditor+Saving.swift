import CoreData
import CoreDataJSON
import CoreDataModelFormat
import CoreDataStore
import CoreDataStudioInterface
import CoreDataTool

/// Saves of pending edits, and conflicts with what other writers have stored since.
extension StoreEditor {
    private static let mostAttempts = 3

    /// Saves all pending edits in one transaction.
    ///
    /// Throws a conflict that lists what other writers changed since it was read, value by value, unless `keep`
    /// says for each whether mine or theirs is kept.
    func save(_ body: JSONValue) throws -> JSONValue {
        try withState { state in
            guard !state.pending.isEmpty else { return inContext(&state) { answer($0) } }
            state.revision += 1
            // A save that fails may have given up edits, too.
            defer { announce(state.revision) }
            for attempt in 1...Self.mostAttempts {
                if try rows.refresh() { adopt(&state) }
                let isSaved = try inContext(&state) { state in
                    if attempt == 1 { try resolve(body["keep"] ?? .null, &state) }
                    return try save(&state, isLast: attempt == Self.mostAttempts)
                }
                if isSaved { break }
            }
            // A save replaces the file of a store that is read as a whole.
            try rows.reread()
            adopt(&state)
            return inContext(&state) { answer($0) }
        }
    }

    /// Returns false if another writer was faster, so that it has to be tried again.
    private func save(_ state: inout State, isLast: Bool) throws -> Bool {
        try rebuildForSave(&state)
        let conflicts = try conflicts(state)
        guard conflicts.isEmpty else {
            throw StudioFailure(
                .conflict, "other writers have changed what is to be saved",
                [.init("conflicts", .array(conflicts))])
        }
        let problems = PendingChanges(state.context, state.source, state.names).problems
        guard problems.isEmpty else {
            throw StudioFailure(
                .refused, "the model does not allow the changes", [.init("problems", .array(problems))])
        }
        try makeBackup(&state)
        do {
            try commit(&state)
            return true
        } catch CocoaError.managedObjectMerge where !isLast {
            return false
        } catch {
            if rows.isReplaced, !isLast { return false }
            throw error
        }
    }

    private func rebuildForSave(_ state: inout State) throws {
        let steps = state.pending
        do {
            try rebuild(&state)
        } catch {
            let gone = gone(steps, state)
            guard !gone.isEmpty else { throw error }
            let conflicts = gone.map { name in
                JSONValue.object([.init("object", .string(name)), .init("kind", .string("deleted"))])
            }
            throw StudioFailure(
                .conflict, "another writer has deleted \(gone.joined(separator: ", "))",
                [.init("conflicts", .array(conflicts))])
        }
    }

    /// Returns the objects of the edits that no longer exist.
    private func gone(_ steps: [EditStep], _ state: State) -> [String] {
        let names = Set(steps.flatMap(\.edits).flatMap(\.mentioned).map(state.names.current))
        return names.sorted().filter { name in
            guard let row = try? state.source.row(named: name) else { return false }
            return (try? state.source.backend.snapshot(for: row) == nil) ?? false
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
            state.context.registeredObject(for: id).map { (name, $0) }
        }
        do {
            try state.context.save()
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
        state.context.reset()
    }

    // MARK: Conflicts

    private func conflicts(_ state: State) throws -> [JSONValue] {
        var found: [JSONValue] = []
        let run = EditRun(state.context, state.source, state.names)
        for (place, base) in state.bases.sorted(by: {
            ($0.key.object, $0.key.key) < ($1.key.object, $1.key.key)
        }) {
            guard let object = try? run.object(place.object),
                let slot = state.source.entity(of: object)?.slot(named: place.key)
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
            guard let row = try? state.source.row(named: name),
                let now = try state.source.version(of: row), now != version
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
            } else if let row = try? state.source.row(named: object),
                let now = try state.source.version(of: row)
            {
                if let key {
                    state.bases[EditedValue(object: object, key: key)] = try stored(key, of: object, state)
                } else {
                    state.versions[object] = now
                }
            }
        }
        state.pending.removeAll { $0.edits.isEmpty }
        dropUnusedBases(&state)
    }

    private func forget(_ object: String, _ key: String?, _ state: inout State) {
        for index in state.pending.indices {
            state.pending[index].edits.removeAll { edit in
                guard let key else { return edit.mentioned.map(state.names.current).contains(object) }
                guard case .set(let name, key, _) = edit else { return false }
                return state.names.current(name) == object
            }
        }
    }

    /// Returns the value that the store has now.
    private func stored(_ key: String, of object: String, _ state: State) throws -> JSONValue {
        let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        reader.persistentStoreCoordinator = state.source.coordinator
        reader.stalenessInterval = 0
        state.source.backend.expireReads()
        return try reader.performAndWait {
            let run = EditRun(reader, state.source, state.names)
            let found = try run.object(object)
            guard let slot = state.source.entity(of: found)?.slot(named: key) else {
                throw StoreFailures.noObject(object)
            }
            return EditValue.committed(found, slot, state.names)
        }
    }
}
