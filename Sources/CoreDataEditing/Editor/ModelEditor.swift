package import CoreDataModelFormat
package import CoreDataModelSource

/// A model being edited, as a value: its versions, and the steps that led from what was opened to what it is
/// now.
///
/// Every change is a list of commands, carried out as a whole or not at all. Each step keeps the state before
/// and after it rather than commands that take it back: states share what did not change, and no wrong
/// inverse can damage a model.
package struct ModelEditor: Sendable {
    /// A list of commands that was carried out.
    package struct Step: Sendable {
        package let title: String
        package let before: ModelState
        package fileprivate(set) var after: ModelState
        /// The elements that were changed, made or removed.
        package fileprivate(set) var touched: [ElementID]
        fileprivate let key: MergeKey?
    }

    /// A key that successive steps share if they are to be undone together, such as those of typing one name.
    package struct MergeKey: Sendable, Hashable {
        package let text: String

        package init(_ text: String) { self.text = text }
    }

    /// The result of a change.
    package struct Outcome: Sendable {
        /// The elements that were changed, made or removed.
        package let touched: [ElementID]
        /// The diagnostics of the versions that changed, by name of the version.
        package let diagnostics: [String: [Diagnostic]]
        package let revision: Int
    }

    /// The base name of the package.
    package let name: String
    /// False for a model that is no package of versions.
    package let isVersioned: Bool
    package private(set) var state: ModelState
    /// The number of changes, steps taken back included.
    package private(set) var revision = 0
    /// The steps, those that were taken back last.
    package private(set) var steps: [Step] = []
    /// The number of steps that are in effect.
    package private(set) var cursor = 0
    private var numbering = ElementNumbering()
    /// The last states before the present one, by revision.
    private var former: [(revision: Int, state: ModelState)] = []
    /// The number of entities in all steps together, up to which steps are kept: each may have lists of its own,
    /// with some hundred bytes an entity.
    private let mostEntities: Int
    /// The number of former states for commands that come late. They share what did not change.
    private static let mostFormer = 50

    /// Opens a model.
    ///
    /// - Parameters:
    ///   - positions: The places of entities in the `.layout.json` of the package, which then also holds those of
    ///     versions whose files have none. Nil if all places are in the files.
    ///   - mostEntities: The number of entities in all steps together, beyond which the oldest steps are
    ///     forgotten, but for 500. Usually they take some 100 MB.
    package init(
        _ package: ModelPackage, positions: GraphPositionsFile? = nil, mostEntities: Int = 200_000
    ) {
        self.mostEntities = mostEntities
        name = package.name
        isVersioned = package.isVersioned
        var numbering = ElementNumbering()
        let versions = package.versions.map { version in
            var edited = EditedVersion(
                name: version.name, document: version.document,
                root: ElementNode(.model(version.document), &numbering))
            edited.positions = positions.map { edited.positions(named: $0.versions[version.name] ?? [:]) }
            return edited
        }
        self.numbering = numbering
        state = ModelState(
            versions: versions, currentVersionName: package.currentVersionName,
            assumesCurrentVersion: package.assumesCurrentVersion)
        state.sort()
    }

    /// The model as it is now, for writing.
    package var package: ModelPackage {
        get throws {
            try ModelPackage(
                name: name,
                versions: state.versions.map { ModelVersion(name: $0.name, document: $0.document) },
                currentVersionName: state.currentVersionName, isVersioned: isVersioned,
                assumesCurrentVersion: state.assumesCurrentVersion)
        }
    }

    // MARK: Changes

    /// Carries out commands as one step.
    ///
    /// - Parameters:
    ///   - revision: The revision that the caller knows; nil for whatever it is.
    ///   - seen: The revision that the commands were meant for, if it is a former one. What was changed since is not
    ///     overwritten: lists are merged, and other settings that both changed are refused.
    ///   - key: If the last step has the same key and nothing was taken back since, the two become one.
    /// - Throws: If one of the commands cannot be carried out; then nothing has changed.
    @discardableResult
    package mutating func perform(
        _ commands: [ModelCommand], seeing revision: Int? = nil, meantFor seen: Int? = nil,
        merging key: MergeKey? = nil
    ) throws(Refusal) -> Outcome {
        try require(revision)
        let overtaken = try overtaken(since: seen ?? self.revision)
        var run = CommandRun(state, isVersioned: isVersioned, numbering)
        for (index, command) in commands.enumerated() {
            do throws(Refusal.Reason) {
                for command in try overtaken?.fitted(command) ?? [command] { try run.perform(command) }
            } catch {
                throw Refusal(error, command: index)
            }
        }
        guard run.state != state else { return outcome(touched: [], since: state) }
        numbering = run.numbering
        let before = state
        advance(to: run.state)
        record(Self.title(of: commands), before, run.touched, key)
        return outcome(touched: run.touched, since: before)
    }

    @discardableResult
    package mutating func undo(seeing revision: Int? = nil) throws(Refusal) -> Outcome {
        try require(revision)
        guard cursor > 0 else { throw Refusal(.nothingToUndo) }
        cursor -= 1
        return restore(steps[cursor].before, touched: steps[cursor].touched)
    }

    @discardableResult
    package mutating func redo(seeing revision: Int? = nil) throws(Refusal) -> Outcome {
        try require(revision)
        guard cursor < steps.count else { throw Refusal(.nothingToRedo) }
        cursor += 1
        return restore(steps[cursor - 1].after, touched: steps[cursor - 1].touched)
    }

    /// The step that undoing would take back.
    package var lastStep: Step? { cursor > 0 ? steps[cursor - 1] : nil }

    /// The step that redoing would bring back.
    package var nextStep: Step? { cursor < steps.count ? steps[cursor] : nil }

    private func require(_ seen: Int?) throws(Refusal) {
        guard let seen, seen != revision else { return }
        throw Refusal(.staleRevision(seen: seen, current: revision))
    }

    /// Returns what fits commands to the present state that were meant for the one at a revision; nil if that is the
    /// present one.
    private func overtaken(since seen: Int) throws(Refusal) -> OvertakenCommands? {
        if seen == revision { return nil }
        guard let state = former.first(where: { $0.revision == seen })?.state else {
            throw Refusal(.staleRevision(seen: seen, current: revision))
        }
        return OvertakenCommands(seen: state, present: self.state)
    }

    /// Makes another state the present one.
    private mutating func advance(to new: ModelState) {
        former.append((revision, state))
        if former.count > Self.mostFormer { former.removeFirst() }
        state = new
        revision += 1
    }

    private mutating func restore(_ former: ModelState, touched: [ElementID]) -> Outcome {
        let before = state
        advance(to: former)
        return outcome(touched: touched, since: before)
    }

    /// Puts another state of the model, such as that on disk, in the place of the present one, as one step.
    /// Elements whose names stay keep their IDs.
    ///
    /// - Parameter places: The places of entities by version and name, for versions that keep them beside
    ///   their files. Versions without any keep theirs.
    @discardableResult
    package mutating func adopt(
        _ package: ModelPackage, places: [String: [String: GraphPoint]] = [:], titled title: String
    ) -> Outcome {
        let before = state
        var touched: [ElementID] = []
        let versions = package.versions.map { version -> EditedVersion in
            guard let former = before.version(named: version.name) else {
                let root = ElementNode(.model(version.document), &numbering)
                touched.append(root.id)
                var new = EditedVersion(name: version.name, document: version.document, root: root)
                if before.current.positions != nil {
                    new.positions = new.positions(named: places[version.name] ?? [:])
                }
                return new
            }
            var changed = former
            if former.document != version.document {
                changed.document = version.document
                changed.root = ElementNode(
                    .model(version.document), replacing: (.model(former.document), former.root), &numbering)
            }
            if former.positions != nil, let names = places[version.name] {
                changed.positions = changed.positions(named: names)
            }
            if changed != former { touched.append(former.root.id) }
            return changed
        }
        var new = ModelState(
            versions: versions, currentVersionName: package.currentVersionName,
            assumesCurrentVersion: package.assumesCurrentVersion)
        new.sort()
        guard new != before else { return outcome(touched: [], since: before) }
        advance(to: new)
        record(title, before, touched, nil)
        return outcome(touched: touched, since: before)
    }

    private static func title(of commands: [ModelCommand]) -> String {
        commands.count == 1 ? commands[0].title : "\(commands[0].title) and \(commands.count - 1) more"
    }

    private mutating func record(
        _ title: String, _ before: ModelState, _ touched: [ElementID], _ key: MergeKey?
    ) {
        let mayMerge = cursor == steps.count
        steps.removeSubrange(cursor...)
        if mayMerge, let key, let last = steps.last, last.key == key {
            steps[cursor - 1].after = state
            steps[cursor - 1].touched += touched.filter { !last.touched.contains($0) }
            return
        }
        steps.append(Step(title: title, before: before, after: state, touched: touched, key: key))
        let most = max(500, mostEntities / max(1, state.current.document.entities.count))
        if steps.count > most { steps.removeFirst(steps.count - most) }
        cursor = steps.count
    }

    private func outcome(touched: [ElementID], since before: ModelState) -> Outcome {
        let changed = state.versions.filter { version in before.version(named: version.name) != version }
        let diagnostics = changed.map { ($0.name, ModelLinter($0.document).lint()) }
        return Outcome(
            touched: touched, diagnostics: Dictionary(uniqueKeysWithValues: diagnostics), revision: revision)
    }
}
