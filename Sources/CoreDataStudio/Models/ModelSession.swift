import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import CoreDataModelSource
import CoreDataStudioInterface
import CoreDataTool
import Foundation

/// An opened model: its editor, the files that it was read from, and what lies between the two.
///
/// Every page that shows the model works on this one session. A change names the revision that its page saw,
/// so that no page changes what it has not seen.
actor ModelSession {
    /// The time within which steps with one key are one step.
    static let mergeTime = Duration.seconds(1)

    nonisolated let id: String
    nonisolated let url: URL
    nonisolated let isReadOnly: Bool
    var editor: ModelEditor
    private(set) var files: ModelFiles { didSet { compared = [:] } }
    /// Whether versions differ from what is on disk, as they were compared last.
    private var compared: [String: (version: EditedVersion, isUnsaved: Bool)] = [:]
    /// The contradictions of the last merge with what another program saved.
    var conflicts: [MergeConflict] = []
    /// The reason why the files on disk cannot be read any more, or do not go together with the edits.
    private(set) var trouble: String?
    var offers: [EditRecovery.Offer] = []

    let recovery: EditRecovery
    /// The revision that the recovery file has; nil if there is no such file.
    var keptRevision: Int?
    private let events: EventLog
    private let now: @Sendable () -> Duration
    private var lastStep: (key: String, time: Duration, series: Int)?
    private var series = 0
    /// The versions as they compiled last, for completion.
    var completed: [String: StoreModel] = [:]
    private var diagnosed: [String: (document: ModelDocument, diagnostics: [Diagnostic])] = [:]
    /// The elements of versions as they were told to a page last.
    private var told: [String: (version: EditedVersion, elements: ElementJSON)] = [:]

    /// Opens a model.
    ///
    /// - Parameters:
    ///   - id: The name of the session in requests.
    ///   - recoveryFolder: The folder of the files with unsaved edits.
    ///   - now: The time since some moment.
    init(
        _ id: String, _ url: URL, isReadOnly: Bool, recoveryFolder: URL, events: EventLog,
        now: @escaping @Sendable () -> Duration
    ) throws {
        self.id = id
        self.url = url
        self.isReadOnly = isReadOnly
        self.events = events
        self.now = now
        files = try ModelFiles(url)
        editor = ModelEditor(files.package, positions: files.positions)
        recovery = EditRecovery(of: url, in: recoveryFolder)
        if !isReadOnly { offers = recovery.offers }
    }

    nonisolated var name: String {
        ModelFiles.folder(of: url).deletingPathExtension().lastPathComponent
    }

    // MARK: What is unsaved

    /// Whether a version differs from what is on disk.
    func isUnsaved(_ version: EditedVersion) -> Bool {
        if let known = compared[version.name], known.version == version { return known.isUnsaved }
        let isUnsaved =
            files.package.version(named: version.name)?.document != version.document
            || (version.positions != nil
                && version.namedPositions != files.positions.versions[version.name] ?? [:])
        compared[version.name] = (version, isUnsaved)
        return isUnsaved
    }

    /// The unsaved changes in words: versions that differ, are new or are gone, and the current version.
    var unsaved: [String] {
        var names = editor.state.versions.filter(isUnsaved).map(\.name)
        names += files.package.versions.map(\.name).filter { editor.state.version(named: $0) == nil }
            .map { "\($0) (removed)" }
        if files.package.assumesCurrentVersion != editor.state.assumesCurrentVersion
            || files.package.currentVersionName != editor.state.currentVersionName
        {
            names.append("current version")
        }
        return names
    }

    /// The diagnostics of a version: what its file has that cannot be read, until it is saved, and what the
    /// linter finds, anew only after the version has changed.
    func diagnostics(of version: EditedVersion) -> [Diagnostic] {
        let ofFile = files.package.version(named: version.name)?.diagnostics ?? []
        if let known = diagnosed[version.name], known.document == version.document {
            return ofFile + known.diagnostics
        }
        let diagnostics = ModelLinter(version.document).lint()
        diagnosed[version.name] = (version.document, diagnostics)
        return ofFile + diagnostics
    }

    /// The elements of a version. They are made anew only after the version has changed.
    func elements(of version: EditedVersion) -> ElementJSON {
        if let known = told[version.name], known.version == version { return known.elements }
        let elements = ElementJSON(version)
        told[version.name] = (version, elements)
        return elements
    }

    // MARK: Changes

    /// Carries out commands as one step. Steps that follow each other closely and have one key become one.
    ///
    /// - Parameter seen: The revision that the commands were meant for, if others have changed the model since.
    func perform(_ commands: [ModelCommand], seeing revision: Int, meantFor seen: Int?, key: String?) throws {
        try requireWritable()
        let time = now()
        var merging: ModelEditor.MergeKey?
        if let key {
            let follows = lastStep.map { $0.key == key && time - $0.time <= Self.mergeTime } ?? false
            if !follows { series += 1 }
            merging = ModelEditor.MergeKey("\(series) \(key)")
        }
        try change { try $0.perform(commands, seeing: revision, meantFor: seen, merging: merging) }
        lastStep = key.map { ($0, time, series) }
    }

    func undo(seeing revision: Int) throws {
        try requireWritable()
        try change { try $0.undo(seeing: revision) }
    }

    func redo(seeing revision: Int) throws {
        try requireWritable()
        try change { try $0.redo(seeing: revision) }
    }

    /// Changes the editor, and tells every page of it.
    private func change(_ body: (inout ModelEditor) throws -> ModelEditor.Outcome) throws {
        let former = editor.revision
        let outcome = try body(&editor)
        for (name, diagnostics) in outcome.diagnostics {
            guard let version = editor.state.version(named: name) else { continue }
            diagnosed[name] = (version.document, diagnostics)
        }
        if editor.revision != former { post() }
    }

    func requireWritable() throws(StudioFailure) {
        if isReadOnly { throw StudioFailure(.forbidden, "the studio was started with --read-only") }
    }

    func post() {
        events.post(
            .model,
            .object([.init("model", .string(id)), .init("revision", .integer(Int64(editor.revision)))]))
    }

    // MARK: Files

    /// Writes what has changed.
    ///
    /// - Returns: The paths in the package of the files that were written or removed.
    func save(seeing revision: Int) throws -> [String] {
        try requireWritable()
        guard revision == editor.revision else {
            throw Refusal(.staleRevision(seen: revision, current: editor.revision))
        }
        try readAgain()
        if let trouble { throw StudioFailure(.conflict, "nothing was saved: \(trouble)") }
        guard revision == editor.revision else {
            throw StudioFailure(
                .conflict,
                "nothing was saved: another program has changed the file, and its changes were merged")
        }
        let save = try files.save(editor.package)
        try save.perform(at: url)
        var written = save.operations.compactMap { operation -> String? in
            switch operation {
            case .write(let path, _, _): path
            case .removeVersion(let name, _): "\(name).xcdatamodel"
            case .leave: nil
            }
        }
        let places = editor.state.versions.filter { $0.positions != nil }.map { ($0.name, $0.namedPositions) }
        let gone = files.positions.versions.keys.filter { editor.state.version(named: $0) == nil }
        if try files.save(Dictionary(places) { first, _ in first }, removing: gone) {
            written.append(GraphPositionsFile.name)
        }
        files = try ModelFiles(url)
        conflicts = []
        keepUnsaved()
        post()
        return written
    }

    /// Takes the state on disk in place of the edits, as one step.
    func reload() throws {
        try requireWritable()
        files = try ModelFiles(url)
        trouble = nil
        conflicts = []
        let names = files.package.versions.map(\.name)
        let places = names.map { ($0, files.positions.versions[$0] ?? [:]) }
        editor.adopt(
            files.package, places: Dictionary(places) { first, _ in first },
            titled: "Read again from the file")
        post()
    }

    /// Takes over what another program has saved: as it is if nothing was edited here, and merged otherwise.
    func readAgain() throws {
        let new: ModelFiles
        do {
            guard let changed = try files.changed() else { return }
            new = changed
        } catch {
            // The other program may be in the middle of writing: the next look may find more.
            return set(trouble: ErrorText.describe(error))
        }
        guard new.files != files.files || new.positions != files.positions else {
            files = new
            return set(trouble: nil)
        }
        let places = PlaceReconciliation(base: files.positions, ours: editor.state, theirs: new.positions)
        guard !unsaved.isEmpty else {
            files = new
            trouble = nil
            editor.adopt(new.package, places: places.versions, titled: "Read again from the file")
            return post()
        }
        do {
            let merge = try ModelReconciliation(
                base: files.package, ours: editor.package, theirs: new.package)
            files = new
            trouble = nil
            conflicts = merge.conflicts + places.conflicts
            editor.adopt(merge.package, places: places.versions, titled: "Merge with the file")
            post()
        } catch {
            set(trouble: "the edits cannot be merged with the file: \(ErrorText.describe(error))")
        }
    }

    private func set(trouble new: String?) {
        guard trouble != new else { return }
        trouble = new
        post()
    }

    /// Marks the conflicts of the last merge as read.
    func dismissConflicts() {
        conflicts = []
        post()
    }
}
