import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import CoreDataModelSource
import Foundation
import Testing

@Suite("Random edits of models")
struct RandomEditTests {
    /// `CORE_DATA_TEST_CASES` and `CORE_DATA_TEST_SEED` make a run longer and replay a failure.
    private static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["CORE_DATA_TEST_SEED"].flatMap { UInt64($0) } ?? 1
        return (0..<(environment["CORE_DATA_TEST_CASES"].flatMap { UInt64($0) } ?? 30)).map { first + $0 }
    }()

    @Test("Whatever commands a model gets, each state is a file, and undo and redo lead to equal bytes")
    func randomModels() throws {
        var done = 0
        for seed in Self.seeds { done += try run(ModelEditor(), steps: 60, seed: seed, "seed \(seed)") }
        #expect(done > Self.seeds.count * 15, "most commands were refused")
    }

    @Test("Undo and redo lead to equal bytes in real models, too", .enabled(if: Corpus.isPresent))
    func realModels() throws {
        for (number, path) in Corpus.contents.enumerated() {
            let document = try ModelDocument.reading(Data(contentsOf: Corpus.url(path)))
            try run(ModelEditor(document), steps: 4, seed: UInt64(number), path)
        }
    }

    @Test("Undo and redo lead to equal bytes in models with comments and unknown elements, too")
    func extras() throws {
        let source = """
            <?xml version="1.0"?>
            <!-- head -->
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" shiny="YES">
              <!-- first -->
              <entity name="Book" glow="1">
                <sparkle a="1"/>
                <attribute name="title" attributeType="String" optional="NO"><!-- inside --></attribute>
                <!-- between -->
                <attribute name="name" defaultValueString="none"/>

                <userInfo><!-- nothing --></userInfo>
              </entity>
              <configuration name="Local"><memberEntity name="Book" since="2"/><!-- members --></configuration>
              <unknown/>
            </model>
            <!-- tail -->

            """
        let document = try ModelDocument.reading(Data(source.utf8))
        for seed in Self.seeds {
            try run(ModelEditor(document), steps: 20, seed: seed, "seed \(seed)", hasExtras: true)
        }
    }

    /// Edits a model at random.
    ///
    /// - Returns: The number of steps that were not refused.
    @discardableResult
    private func run(
        _ opened: ModelEditor, steps: Int, seed: UInt64, _ name: String, hasExtras: Bool = false
    ) throws -> Int {
        var editor = opened
        var random = RandomCommands(seed: seed)
        var done = 0
        for step in 0..<steps {
            let before = editor
            let commands = random.commands(for: editor)
            for command in commands {
                #expect(try ModelCommand(JSONParser.parse(command.json.line)) == command, "\(name)")
            }
            do {
                try editor.perform(commands, seeing: editor.revision)
                done += 1
                if editor.state != before.state {
                    try check(
                        editor, "\(name), step \(step): \(commands.map(\.json.line))", hasExtras: hasExtras)
                }
            } catch {
                #expect(editor.state == before.state && editor.revision == before.revision, "\(name)")
                #expect(editor.cursor == before.cursor && editor.steps.count == before.steps.count, "\(name)")
            }
            if random.number(0...9) == 0, editor.cursor > 0 { try editor.undo() }
        }
        let last = editor.contents
        let states = editor.steps.map(\.after)
        let applied = editor.cursor
        while editor.cursor > 0 { try editor.undo() }
        #expect(editor.state == opened.state && editor.contents == opened.contents, "\(name)")
        while editor.cursor < applied {
            try editor.redo()
            #expect(editor.state == states[editor.cursor - 1], "\(name)")
        }
        #expect(editor.contents == last, "\(name)")
        return done
    }

    /// Checks what holds in every state.
    private func check(_ editor: ModelEditor, _ name: String, hasExtras: Bool) throws {
        for version in editor.state.versions {
            let read = try ModelDocument.reading(ModelWriter(version.document).contents())
            // Comments whose place is gone are read again in the place where they were kept.
            let isEqual = read == version.document
            try #require(isEqual || hasExtras, "\(name)")
            try #require(
                ModelWriter(read).contents() == ModelWriter(version.document).contents(), "\(name)")
            #expect(VersionHashes(read).byEntity == VersionHashes(version.document).byEntity, "\(name)")
            try expectIDs(version, name)
        }
        #expect(editor.state.version(named: editor.state.currentVersionName) != nil, "\(name)")
    }

    private func expectIDs(_ version: EditedVersion, _ name: String) throws {
        let fresh = ModelEditor(version.document).state.current
        #expect(version.root.shape == fresh.root.shape, "\(name)")
        let ids = version.root.ids
        #expect(Set(ids).count == ids.count, "\(name)")
    }

    @Test("A model whose elements are all copied and pasted into an empty one has the same meaning")
    func pasting() throws {
        for seed in Self.seeds {
            var editor = ModelEditor()
            var random = RandomCommands(seed: seed)
            for _ in 0..<40 { _ = try? editor.perform(random.commands(for: editor)) }
            let document = editor.document
            let drafts = ElementKind.model.members.flatMap { kind in
                ModelElement.model(document).members(kind).map { ElementDraft($0) }
            }
            for draft in drafts {
                #expect(try ElementDraft(JSONParser.parse(draft.json.line)) == draft, "\(seed)")
            }
            var copy = ModelEditor()
            try copy.edit(.paste(drafts, into: ""))
            #expect(Set(copy.document.entities.map(\.name)) == Set(document.entities.map(\.name)), "\(seed)")
            #expect(VersionHashes(copy.document).byEntity == VersionHashes(document).byEntity, "\(seed)")
            let again = ElementKind.model.members.flatMap { kind in
                ModelElement.model(copy.document).members(kind).map { ElementDraft($0) }
            }
            #expect(Set(again) == Set(drafts), "\(seed)")
        }
    }
}

extension ElementNode {
    /// The numbers of members of each kind, all the way down.
    fileprivate var shape: [String] {
        members.filter { !$0.value.isEmpty }.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap {
            kind, nodes in
            nodes.flatMap { [kind.rawValue] + $0.shape.map { "\(kind.rawValue).\($0)" } }
        }
    }

    fileprivate var ids: [ElementID] { [id] + members.values.flatMap { $0.flatMap(\.ids) } }
}
