import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The section names that are in stored rows, so that faults need not be filled for them.
///
/// A fault has the name that its row in the row cache gives it, otherwise the one that a query for the
/// attribute of all results finds. An object that is loaded, or that neither of these sources names, computes
/// its name itself.
struct StoredSectionNames {
    private let context: NSManagedObjectContext
    private let runner: FetchRunner
    private let entities: Range<EntityIndex>
    /// The attribute, by entity.
    private let slots: [PropertySlot]
    private let type: AttributeType
    private let runtime: EntityRuntime
    /// The values that queries found, by store and key.
    private var found: [Int16: [Int64: AttributeValue]] = [:]
    /// A row that turns a value into an object as the rows of objects do, and the names it made.
    private let sample: Snapshot
    private var names: [AttributeValue: String] = [:]

    /// Makes the names for a key path; nil unless it is an attribute that every row has, in the form in which
    /// key-value access returns it.
    init?(
        _ keyPath: String, of test: ResultTest, _ request: FetchRequestStorage,
        in context: NSManagedObjectContext
    ) throws {
        let runtimes = test.entities.map(context.requiredCoordinator.frozen.runtime)
        slots = runtimes.compactMap { $0.storedSlot(named: keyPath) }
        guard request.resultType == .managedObjectResultType, slots.count == runtimes.count,
            let runtime = runtimes.first, let type = slots.first?.attribute?.type
        else { return nil }
        self.context = context
        self.runtime = runtime
        self.type = type
        entities = test.entities
        runner = try FetchRunner(context, request, test.query)
        if runner.isPastParent { return nil }
        sample = Snapshot.make(runtime.layout, key: 0, version: 0)
    }

    /// Returns the name of an object's section, or nil if the object has to be asked.
    mutating func name(of object: NSObject) throws -> String? {
        guard let object = object as? NSManagedObject, object.isFault,
            object.flags.isDisjoint(with: [.inserted, .inaccessible]),
            entities.contains(object.runtime.index),
            let handle = runner.handles.first(where: { $0.index == object.storeIndex })
        else { return nil }
        // With a staleness interval the row cache is not used.
        if context.stalenessInterval < 0, let row = handle.cache.current(object.reference) {
            let slot = slots[Int(object.runtime.index - entities.lowerBound)]
            return slot.column.map { Self.name(in: row, $0, object.runtime, slot) }
        }
        return try value(of: object, in: handle).flatMap { name($0) }
    }

    private mutating func value(of object: NSManagedObject, in handle: StoreHandle) throws -> AttributeValue?
    {
        if let known = found[handle.index] { return known[object.reference.key] }
        let values = try runner.storedValues(of: slots[0].name, type, in: handle) ?? [:]
        found[handle.index] = values
        return values[object.reference.key]
    }

    private mutating func name(_ value: AttributeValue) -> String? {
        if type == .string, case .string(let text) = value { return text }
        if let known = names[value] { return known }
        guard let column = slots[0].column else { return nil }
        sample.setValue(column, value)
        // A row takes a value of another type as null.
        guard sample.isNull(column) == (value == .null) else { return nil }
        let name = Self.name(in: sample, column, runtime, slots[0])
        names[value] = name
        return name
    }

    private static func name(
        in row: Snapshot, _ column: Int, _ runtime: EntityRuntime, _ slot: PropertySlot
    ) -> String {
        ResultTest.sectionName(ValueBox.load(row, column: column, of: runtime, slot: slot))
    }
}

extension EntityRuntime {
    /// Returns the slot of an attribute whose values a row holds as they are, unless the class has an
    /// accessor of its own for it.
    fileprivate func storedSlot(named name: String) -> PropertySlot? {
        guard let slot = slot(named: name), slot.column != nil, let type = slot.attribute?.type,
            !answersItself(forKey: name)
        else { return nil }
        return switch type {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal, .date, .string, .uri,
            .uuid:
            slot
        case .binary, .transformable, .composite, .undefined, .objectID: nil
        }
    }
}
