import CoreData
import CoreDataModelFormat
import CoreDataSQLite
import CoreDataStore
import CoreDataTool
import CoreDataValues
import Foundation

/// A store as its pages read it: rows by reference, without objects. It may be the store at one moment.
struct RowSource: Sendable {
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    let backend: any StoreBackend
    let model: StoreModel
    /// The folder of values that are too long for rows; nil for a store that has none.
    let files: URL?

    private init(
        coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore, backend: any StoreBackend,
        model: StoreModel, files: URL?
    ) {
        (self.coordinator, self.store, self.backend) = (coordinator, store, backend)
        (self.model, self.files) = (model, files)
    }

    /// Returns the store as it is now, whatever is written later. Stores that cannot be read so are returned as
    /// they are.
    func pinned() -> RowSource {
        guard let generations = backend as? any GenerationBackend,
            (try? generations.requireGenerations()) != nil, let pinned = try? generations.pinned()
        else { return self }
        return RowSource(
            coordinator: coordinator, store: store, backend: pinned, model: model, files: files)
    }

    /// Whether later commits do not show.
    func isPinned(from other: RowSource) -> Bool { backend !== other.backend }

    /// Opens a store.
    ///
    /// - Throws: A `ToolError` if the store is no longer of the model.
    init(_ opened: OpenedStore, _ model: StoreModel, mayEdit: Bool) throws {
        guard try opened.matchingModel().document == model.document else {
            throw ToolError("\(opened.url.place) is of another model by now: open it again")
        }
        let coordinator = try opened.coordinator(isReadOnly: !mayEdit)
        guard let store = coordinator.persistentStores.first, let backend = coordinator.backend(of: store)
        else { throw ToolError("\(opened.url.place) cannot be opened") }
        self.init(
            coordinator: coordinator, store: store, backend: backend, model: model,
            files: opened.url.isFileURL ? (mayEdit ? opened.url : opened.location.url) : nil)
    }

    // MARK: Lists

    /// Returns the rows that a fetch finds, in its order.
    func references(_ specification: FetchSpecification) throws -> [ObjectReference] {
        do throws(StoreError) {
            let query = try query(specification, .references)
            guard case .references(let rows) = try backend.fetch(query) else { return [] }
            return rows
        } catch {
            guard case .inexpressible = error.kind else { throw error }
            return try fetching(specification) { context, request in
                request.resultType = .managedObjectIDResultType
                return try context.fetch(request.retyped(to: NSManagedObjectID.self)).map(\.row)
            }
        }
    }

    func count(_ specification: FetchSpecification) throws -> Int {
        do throws(StoreError) {
            let query = try query(specification, .count)
            guard case .count(let count) = try backend.fetch(query) else { return 0 }
            return count
        } catch {
            guard case .inexpressible = error.kind else { throw error }
            return try fetching(specification) { context, request in try context.count(for: request) }
        }
    }

    private func query(
        _ specification: FetchSpecification, _ shape: ResultShape
    ) throws(StoreError) -> FetchQuery {
        do {
            return try specification.query(in: model, shape: shape)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.unsupported, ErrorText.describe(error))
        }
    }

    /// Fetches by a context, which tests in memory what the store cannot express.
    private func fetching<Result>(
        _ specification: FetchSpecification,
        _ body: (NSManagedObjectContext, NSFetchRequest<NSManagedObject>) throws -> Result
    ) throws -> Result {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        return try context.performAndWait { try body(context, specification.request(in: model)) }
    }

    // MARK: Values

    /// Returns the cells of rows of one inheritance tree, in their order; nil for rows that are gone. It reads
    /// the beginnings of long values only, and the titles of to-one relationships by one statement each.
    func cells(of rows: [ObjectReference], _ slots: [PropertySlot]) throws -> [[StoreCell]?] {
        let previews = try backend.previews(of: rows, slots: slots)
        var titles: [ObjectReference: String] = [:]
        for (position, slot) in slots.enumerated() where slot.isToOne {
            let wanted = Set(previews.values.compactMap { $0[position].reference })
            titles.merge(try self.titles(of: Array(wanted))) { first, _ in first }
        }
        return rows.map { row in
            previews[row.key].map { previews in
                zip(slots, previews).map { cell($1, titles) }
            }
        }
    }

    private func cell(_ preview: ValuePreview, _ titles: [ObjectReference: String]) -> StoreCell {
        switch preview {
        case .value(.reference(let row)): return .link(name(of: row), title: titles[row])
        case .value(let value): return .value(value)
        case .text(let text, let length): return .text(text, length: length)
        case .bytes(let bytes, let length): return .data(bytes, length: length)
        case .file(let name):
            guard let files, let found = ExternalFolder(ofStoreAt: files.path).beginning(of: name, 16) else {
                return .unreadable("the external file \(name) cannot be read")
            }
            return .data(found.bytes, length: found.length)
        case .count(let count): return .count(count)
        case .unreadable(let reason): return .unreadable(reason)
        }
    }

    /// Returns a text for each row by which people know it, if its entity has an attribute for that.
    func titles(of rows: [ObjectReference]) throws -> [ObjectReference: String] {
        var titles: [ObjectReference: String] = [:]
        for (entity, rows) in Dictionary(grouping: rows, by: \.entity) {
            guard let slot = TitleAttribute.slot(of: model.compiled[entity]) else { continue }
            let previews = try backend.previews(of: rows, slots: [slot])
            for row in rows {
                if case .text(let text, _)? = previews[row.key]?.first, !text.isEmpty { titles[row] = text }
            }
        }
        return titles
    }

    /// Returns the entity of an object; nil if the model has none of its name.
    func entity(of object: NSManagedObject) -> CompiledEntity? {
        object.entity.name.flatMap(model.compiled.entity(named:))
    }

    /// Returns a number that differs after another writer has changed a row; nil if the row is gone.
    ///
    /// A store that is read as a whole counts versions anew each time. There it is made of the values.
    func version(of row: ObjectReference) throws -> Int64? {
        guard let snapshot = try backend.snapshot(for: row) else { return nil }
        if backend is any DatabaseBackend { return snapshot.version }
        var hasher = Hasher()
        for slot in model.compiled[snapshot.reference.entity].slots {
            if let column = slot.column { hasher.combine(snapshot.value(column)) }
        }
        return Int64(hasher.finalize())
    }

    // MARK: Names

    /// Returns the name of a row, such as `Book/p12`.
    func name(of row: ObjectReference) -> String { "\(model.compiled[row.entity].name)/p\(row.key)" }

    /// Returns the row of a name. Throws a `StudioFailure` if it cannot be the name of one.
    func row(named name: String) throws -> ObjectReference {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let entity = model.compiled.entity(named: String(parts[0])),
            parts[1].hasPrefix("p"), let key = Int64(parts[1].dropFirst()), key > 0
        else { throw StoreFailures.noObject(name) }
        return ObjectReference(entity: entity.index, key: key)
    }
}

extension ValuePreview {
    fileprivate var reference: ObjectReference? {
        if case .value(.reference(let row)) = self { row } else { nil }
    }
}
