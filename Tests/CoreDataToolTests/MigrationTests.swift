import CoreData
import CoreDataJSON
import CoreDataModelFormat
import CoreDataTool
import CoreDataValues
import Foundation
import Testing

@Suite("Migrating stores from the command line")
struct MigrationTests {
    /// A library whose authors have an age, without chapters.
    private static let newer = {
        var model = LibraryModel.document
        model.versionIdentifiers = ["library 2"]
        model.entities[0].attributes.append(
            AttributeElement(name: "age", type: .integer16, isOptional: true, defaultValue: .integer(40)))
        model.entities[1].attributes[1].name = "length"
        model.entities[1].attributes[1].renamingIdentifier = "pages"
        return model
    }()

    /// A library in which an author's birth date is mandatory; of two authors, one has it.
    private static let stricter = {
        var model = LibraryModel.document
        model.entities[0].attributes[0].isOptional = false
        return model
    }()

    private static let impossible = {
        var model = LibraryModel.document
        model.entities[1].attributes[1].type = .string
        model.entities[1].attributes[1].defaultValue = .null
        return model
    }()

    private func write(_ document: ModelDocument, _ library: LibraryStore) throws -> URL {
        let url = library.folder.appendingPathComponent("Newer.mom")
        try CompiledModelWriter(document).mom().write(to: url)
        return url
    }

    @Test("A dry run plans with the store's own model and leaves the store unchanged")
    func dryRun() throws {
        let library = try LibraryStore()
        let before = try library.files()
        let upgrade = try StoreUpgrade(of: library.url, to: Self.newer)
        #expect(upgrade.plan.method == .inPlace)
        #expect(upgrade.plan.objectCount == 12)
        #expect(upgrade.plan.source.identifiers == ["library 1"])
        #expect(upgrade.plan.destination.identifiers == ["library 2"])
        let json = upgrade.json(includesStatements: true)
        #expect(json["method"] == .string("in place"))
        #expect(json["objects"] == .integer(12))
        #expect(try library.files() == before)
    }

    @Test("A migrated store passes the check and keeps its data")
    func migrated() throws {
        let library = try LibraryStore(history: true)
        let backup = library.folder.appendingPathComponent("Before.sqlite")
        try StoreUpgrade(of: library.url, to: Self.newer).run(backup: backup, verifies: true)
        let store = try OpenedStore(at: library.url)
        #expect(store.metadata.versionIdentifiers == ["library 2"])
        #expect(try StoreCheck(store).findings() == [])
        #expect(
            try StoreFetch(FetchSpecification(entity: "Book", predicate: "length == 341"), from: store)
                .count() == 1)
        #expect(
            try StoreFetch(FetchSpecification(entity: "Author", predicate: "age == 40"), from: store).count()
                == 2)
        let kept = try OpenedStore(at: backup)
        #expect(kept.metadata.versionIdentifiers == ["library 1"])
        #expect(try StoreCheck(kept).findings() == [])
        #expect(try StoreUpgrade(of: library.url, to: Self.newer).plan.method == .notNeeded)
    }

    @Test("A store that cannot be migrated is left alone, and the error names the obstacle")
    func refused() throws {
        let library = try LibraryStore()
        let before = try library.files()
        let upgrade = try StoreUpgrade(of: library.url, to: Self.impossible)
        let error = #expect(throws: ToolError.self) { try upgrade.run() }
        #expect(error?.description.contains("Book.pages: Source and destination attribute types") == true)
        #expect(try library.files() == before)
        let xml = library.folder.appendingPathComponent("Library.xml")
        try StoreConversion(OpenedStore(at: library.url)).convert(to: xml, as: .xml)
        let missing = #expect(throws: ToolError.self) { try StoreUpgrade(of: xml, to: Self.newer) }
        #expect(missing?.description.contains("carries no model") == true)
        #expect(missing?.description.contains("--from-model") == true)
        #expect(throws: ToolError.self) {
            try StoreUpgrade(of: library.url, to: Self.newer, configuration: "Nowhere")
        }
    }

    @Test(
        "A store without a model is planned and migrated with a given model of its version"
    )
    func givenModel() throws {
        let library = try LibraryStore()
        let xml = library.folder.appendingPathComponent("Library.xml")
        try StoreConversion(OpenedStore(at: library.url)).convert(to: xml, as: .xml)
        let newer = try write(Self.newer, library)
        let arguments = ["migrate", xml.path, "--to", newer.path]
        #expect(try CommandRun(arguments + ["--dry-run"]).status == 2)
        let wrong = try CommandRun(arguments + ["--from-model", newer.path])
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("differs in Author, Book"))
        // A store can be given as the model.
        let plan = try CommandRun(arguments + ["--from-model", library.url.path, "--dry-run"])
        #expect(plan.status == 0)
        #expect(plan.output.contains("by copying every object"))
        #expect(plan.output.contains("~ Author: changed, 2 objects"))
        #expect(try CommandRun(arguments + ["--from-model", library.url.path]).status == 0)
        let store = try OpenedStore(at: xml, model: newer)
        #expect(
            try StoreFetch(FetchSpecification(entity: "Author", predicate: "age == 40"), from: store).count()
                == 2)
    }

    @Test(
        "A dry run counts objects that would stop the migration and leaves the store alone"
    )
    func violations() throws {
        let library = try LibraryStore()
        let before = try library.files()
        let model = try write(Self.stricter, library)
        let arguments = ["migrate", library.url.path, "--to", model.path]
        let plan = try CommandRun(arguments + ["--dry-run"])
        #expect(plan.status == 1)
        #expect(plan.output.contains("! Author.born: Validation error missing attribute values"))
        #expect(plan.output.contains("mandatory destination attribute, 1 object\n"))
        let json = try JSONParser.parse(try CommandRun(arguments + ["--dry-run", "--json"]).output)
        guard case .array(let violations) = json["violations"] else {
            Issue.record("no violations")
            return
        }
        #expect(violations.map { $0["property"] } == [.string("born")])
        #expect(violations.map { $0["objects"] } == [.integer(1)])
        #expect(try CommandRun(arguments).status == 2)
        for (name, data) in before { #expect(try library.files()[name] == data) }
    }

    @Test("The migrate command prints its plan, migrates and prints what it did")
    func command() throws {
        let library = try LibraryStore()
        let before = try library.files()
        let model = try write(Self.newer, library).path
        let arguments = ["migrate", library.url.path, "--to", model]
        let plan = try CommandRun(arguments + ["--dry-run", "--sql"])
        #expect(plan.status == 0)
        #expect(plan.output.hasPrefix("from version \"library 1\""))
        #expect(plan.output.contains("~ Author: changed, 2 objects\n    + attribute age\n"))
        #expect(plan.output.contains("-- give ZAGE its default\nUPDATE ZAUTHOR SET ZAGE = ?; -- 40\n"))
        #expect(plan.errors == "")
        for (name, data) in before { #expect(try library.files()[name] == data) }
        let backup = library.folder.appendingPathComponent("Before.sqlite").path
        let run = try CommandRun(arguments + ["--backup", backup, "--verify", "--json"])
        #expect(run.status == 0)
        #expect(try JSONParser.parse(run.output)["method"] == .string("in place"))
        #expect(FileManager.default.fileExists(atPath: backup))
        let again = try CommandRun(arguments)
        #expect(again.status == 0)
        #expect(again.output.hasSuffix("the store is of this version already\n"))
    }

    @Test("An impossible plan is a finding, an impossible migration is a failure")
    func commandFailures() throws {
        let library = try LibraryStore()
        let model = try write(Self.impossible, library).path
        let arguments = ["migrate", library.url.path, "--to", model]
        let plan = try CommandRun(arguments + ["--dry-run"])
        #expect(plan.status == 1)
        #expect(plan.output.contains("! Book.pages: "))
        let run = try CommandRun(arguments)
        #expect(run.status == 2)
        #expect(run.errors.contains("no mapping can be inferred\n  Book.pages: "))
        let version = try CommandRun(arguments + ["--version", "7"])
        #expect(version.status == 2)
        #expect(version.errors.contains("has no version \"7\""))
        let occupied = try CommandRun([
            "migrate", library.url.path, "--to", try write(Self.newer, library).path, "--backup", model,
        ])
        #expect(occupied.status == 2)
        #expect(occupied.errors.contains("its backup would overwrite"))
        #expect(try CommandRun(["migrate", library.url.path]).status == 64)
    }
}
