import CoreData
import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import CoreDataModelSource
import CoreDataTool
import Foundation

/// One reading of a file, by all commands of the tool that only read, and as an app reads it. Each step may
/// succeed or throw an error; nothing else may happen.
final class HostileReading {
    /// The messages: findings, warnings and errors.
    private(set) var words: [String] = []
    private var store: URL?

    // MARK: Stores

    /// Reads a store with the commands.
    ///
    /// - Parameters:
    ///   - url: The store.
    ///   - model: A model, for stores that carry none.
    init(store url: URL, model: URL? = nil) {
        self.store = url
        let store = attempt { try OpenedStore(at: url, model: model) }
        let withModel = model == nil ? attempt { try OpenedStore(at: url, model: Self.modelFile()) } : nil
        for store in [store, withModel].compactMap({ $0 }) { read(store) }
        if store?.isDatabase == true {
            attempt { words.append(try ModelListing(ModelSource(url).document()).text()) }
            attempt { _ = try LintReport(ModelSource(url), named: "store") }
        }
    }

    private func read(_ store: OpenedStore) {
        if store.isDatabase {
            attempt { words += try StoreCheck(store).findings().map(\.text) }
            attempt { words += try StoreCheck(store, depth: .quick).findings().map(\.text) }
        }
        attempt {
            let report = SummaryReport(try StoreSummary(of: store), health: nil)
            words += [report.text(showsHashes: true), report.json.indented]
        }
        for entity in store.model?.compiled.entities.map(\.name) ?? [] {
            let specification = FetchSpecification(entity: entity)
            // The other formats differ in how they write values, and books have values of every type.
            for format in entity == "Book" ? StoreFetch.Format.allCases : [.csv] {
                attempt { try StoreFetch(specification, from: store).write(format) { _ in } }
            }
            attempt { _ = try StoreFetch(specification, from: store).count() }
            if store.isDatabase {
                attempt { _ = try RequestStatement(specification, of: store, isCount: false).text }
            }
        }
        attempt {
            let related = FetchSpecification(
                entity: "Book", predicate: "ANY tags.word CONTAINS[cd] 's' OR author.books.@count > 1",
                sort: ["author.name", "title:localized"],
                properties: ["chapters.title", "tags.word", "cover"])
            try StoreFetch(related, from: store).write(.csv) { _ in }
        }
        if store.isDatabase {
            attempt { words.append("history: \(try StoreHistory(of: store)?.text ?? "none")") }
        }
        attempt {
            try StoreExport(store).write { _ in
            } warning: {
                words.append($0)
            }
        }
        attempt {
            let copy = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).xml")
            defer { try? FileManager.default.removeItem(at: copy) }
            try StoreConversion(store).convert(to: copy, as: .xml) { self.words.append($0) }
        }
    }

    /// Reads a store as an app that has the model does. Beside a log or journal, SQLite may leave or remove
    /// files of its own.
    func readAsApp() {
        guard let url = store else { return }
        attempt { _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: url) }
        attempt {
            let coordinator = NSPersistentStoreCoordinator(
                managedObjectModel: try NSManagedObjectModel(SampleModel.document))
            let type =
                url.pathExtension == "xml"
                ? NSXMLStoreType
                : url.pathExtension == "binary"
                    ? NSBinaryStoreType : NSSQLiteStoreType
            let store = try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: url,
                options: [
                    NSReadOnlyPersistentStoreOption: NSNumber(value: true),
                    NSIgnorePersistentStoreVersioningOption: NSNumber(value: true),
                ])
            defer { try? coordinator.remove(store) }
            // Faults of pages that SQLite cannot read end the program, as exceptions do on Apple's systems.
            guard words.allSatisfy({ !$0.contains("damaged") && !$0.contains("malformed") }) else { return }
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                for entity in ["Author", "Book", "Chapter", "Tag"] {
                    for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)) {
                        for (key, _) in object.entity.propertiesByName { _ = object.value(forKey: key) }
                        _ = object.objectID.uriRepresentation()
                    }
                }
            }
        }
    }

    /// Returns the sample model as a file, which is made once a process.
    static func modelFile() throws -> URL { try modelOfSample.get() }

    private static let modelOfSample: Result<URL, any Error> = Result {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).mom")
        try CompiledModelWriter(SampleModel.document).mom().write(to: url)
        return url
    }

    // MARK: Models

    /// Reads a model with the commands.
    ///
    /// - Parameter model: A file or folder with a model.
    init(model url: URL) {
        attempt {
            let source = ModelSource(url)
            let document = try source.document()
            words.append(try ModelListing(document).text())
            _ = try LintReport(source, named: "model")
            words += ModelDiff(from: document, to: SampleModel.document).changes.map(\.text)
            let folder = try ScratchFolder()
            for name in ["Copy.mom", "Copy.momd", "Copy.xcdatamodeld"] {
                attempt { try ModelCompilation(source).write(to: folder.file(name)) }
            }
            attempt { _ = try ClassGeneration(document, module: "Sample", style: .class).text(with: [:]) }
            attempt { _ = try StoreModel(document, origin: .cache) }
        }
        guard ["mom", "momd"].contains(url.pathExtension) else { return }
        attempt {
            guard let model = NSManagedObjectModel(contentsOf: url) else { throw ToolError("it is no model") }
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
            try coordinator.remove(store)
        }
    }

    /// Reads a mapping model with the commands.
    ///
    /// - Parameter mapping: An `.xcmappingmodel` or a `.cdm`.
    init(mapping url: URL) {
        attempt {
            if url.pathExtension == "cdm" {
                _ = try CompiledMappingReader().read(at: url)
            } else {
                words += try MappingSourceReader().read(at: url).diagnostics.map(\.message)
            }
        }
    }

    // MARK: Exports

    init(export lines: [String]) {
        attempt {
            let folder = try ScratchFolder()
            let reader = StoreImport(into: folder.file("New.sqlite"))
            do {
                for line in lines { try reader.read(line) }
                _ = try reader.finish()
                words += reader.warnings
            } catch {
                reader.discard()
                throw error
            }
        }
    }

    /// The lines of an export.
    static func exported(_ url: URL) throws -> [String] {
        var lines: [String] = []
        try StoreExport(OpenedStore(at: url)).write { lines.append($0) }
        return lines
    }

    // MARK: Errors

    @discardableResult
    private func attempt<Value>(_ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            words.append(ErrorText.describe(error))
            return nil
        }
    }
}
