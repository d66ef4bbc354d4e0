import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation
import Synchronization

/// The data of an entity that its objects use on hot paths: description, numbers, row layout, defaults.
final class EntityRuntime: @unchecked Sendable {
    let link = Backlink<EntityRuntime>()
    unowned let model: FrozenModel
    /// The model, for code that may run after the model was freed.
    let modelLink: Backlink<FrozenModel>
    private let classes: ClassTable
    let entity: NSEntityDescription
    private let entityReference: UncountedReference<CompiledEntity>
    var compiled: CompiledEntity { entityReference.object }
    let layout: RowLayout
    /// Descriptions by slot.
    let properties: [NSPropertyDescription]
    let transientAttributes: [PropertySlot]
    /// Whether fetched objects start with values that are in no row.
    let hasTransientDefaults: Bool
    /// Slots of relationships.
    let relationshipSlots: [Int]
    /// The class of the entity's objects, looked up at first use.
    var objectClass: NSManagedObject.Type { classes[compiled.index] }
    let validation: ValidationPlan
    private let writtenAccessors = Atomic<WrittenAccessors>(.unknown)
    /// The retained `Defaults`: every insertion begins with them and takes no lock.
    private let defaults = Atomic<UnsafeRawPointer?>(nil)

    /// The class of the last new object, as a number, if it is the entity's class or inherits from it.
    private let fittingClass = Atomic<UInt>(0)

    func isFitting(_ type: NSManagedObject.Type) -> Bool {
        fittingClass.load(ordering: .relaxed) == unsafeBitCast(type, to: UInt.self)
    }

    /// Remembers the class of a new object, unless the class that the model names has not been found yet.
    func noteFitting(_ type: NSManagedObject.Type) {
        guard classes.isFound(compiled.index) else { return }
        fittingClass.store(unsafeBitCast(type, to: UInt.self), ordering: .relaxed)
    }

    /// The values that a new object starts with; immutable, except that transient values may be mutable
    /// objects.
    final class Defaults {
        /// The row that inserted objects clone.
        let row: Snapshot
        /// Values that a row cannot hold: of transient and undefined attributes.
        let side: [(slot: Int, value: SideValue)]

        init(row: Snapshot, side: [(slot: Int, value: SideValue)]) {
            self.row = row
            self.side = side
        }
    }

    init(_ compiled: CompiledEntity, entity: NSEntityDescription, layout: RowLayout, in model: FrozenModel) {
        self.model = model
        modelLink = model.link
        classes = model.classes
        self.entity = entity
        entityReference = UncountedReference(compiled)
        self.layout = layout
        properties = model.properties[Int(compiled.index)]
        validation = ValidationPlan(compiled, properties)
        transientAttributes = compiled.slots.filter { $0.isTransient && $0.attribute != nil }
        let properties = properties
        hasTransientDefaults = transientAttributes.contains { slot in
            (properties[slot.index] as? NSAttributeDescription)?.defaultValue != nil
        }
        relationshipSlots = compiled.slots.filter { $0.relationship != nil }.map(\.index)
        link.lead(to: self)
    }

    deinit {
        if let defaults = defaults.load(ordering: .acquiring) {
            Unmanaged<Defaults>.fromOpaque(defaults).release()
        }
    }

    private enum WrittenAccessors: UInt8, AtomicRepresentable {
        case unknown, none, some
    }

    /// Whether the class has accessors of its own for modelled properties, which key-value access calls.
    var hasWrittenAccessors: Bool {
        switch writtenAccessors.load(ordering: .relaxed) {
        case .none: return false
        case .some: return true
        case .unknown:
            let type = objectClass
            let isAny = compiled.slots.contains { slot in
                ExposedMethods.getter(of: slot.name, of: type) != nil
                    || ExposedMethods.setter(of: slot.name, of: type) != nil
            }
            writtenAccessors.store(isAny ? .some : .none, ordering: .relaxed)
            return isAny
        }
    }

    /// Returns whether the class has its own accessor for key-value access to a property.
    func answersItself(forKey key: String) -> Bool {
        OverriddenAccess.isFound(in: objectClass)
            || hasWrittenAccessors && ExposedMethods.getter(of: key, of: objectClass) != nil
    }

    // MARK: The entity

    // Properties that are read without retaining the entity, since hot paths use them.

    var index: EntityIndex { entityReference.uncounted._withUnsafeGuaranteedRef { $0.index } }
    var root: EntityIndex { entityReference.uncounted._withUnsafeGuaranteedRef { $0.root } }
    var name: String { entityReference.uncounted._withUnsafeGuaranteedRef { $0.name } }
    var slots: [PropertySlot] { entityReference.uncounted._withUnsafeGuaranteedRef { $0.slots } }
    var columns: [PropertySlot] { entityReference.uncounted._withUnsafeGuaranteedRef { $0.columns } }

    func slot(at index: Int) -> PropertySlot {
        entityReference.uncounted._withUnsafeGuaranteedRef { $0.slots[index] }
    }

    func slot(named name: String) -> PropertySlot? { compiled.slot(named: name) }

    func slotIndex(named name: String) -> Int? {
        entityReference.uncounted._withUnsafeGuaranteedRef { $0.slotIndex(named: name) }
    }

    /// Returns the column of a slot in a packed row; nil if it has none.
    func column(ofSlot index: Int) -> Int? {
        entityReference.uncounted._withUnsafeGuaranteedRef { $0.slots[index].column }
    }

    /// Returns the conversion for an attribute whose values need one; nil for a relationship.
    func box(_ slot: PropertySlot) -> AttributeBox? {
        (properties[slot.index] as? NSAttributeDescription)
            .map { AttributeBox($0, at: slot.name, of: entity) }
    }

    /// The defaults, made at the first insertion, since the app's transformers are registered by then.
    var insertionDefaults: Defaults {
        if let defaults = defaults.load(ordering: .acquiring) {
            return Unmanaged<Defaults>.fromOpaque(defaults).takeUnretainedValue()
        }
        return keepFirst(Defaults(row: makeDefaultRow(), side: makeSideDefaults()))
    }

    /// Runs `body` with the defaults without retaining them, which would be a large part of the time that
    /// making an object takes.
    @inline(__always)
    func withInsertionDefaults<Result>(_ body: (Defaults) -> Result) -> Result {
        guard let known = defaults.load(ordering: .acquiring) else { return body(insertionDefaults) }
        return Unmanaged<Defaults>.fromOpaque(known)._withUnsafeGuaranteedRef(body)
    }

    /// Keeps the defaults that were made first if several threads make them at the same time.
    private func keepFirst(_ made: Defaults) -> Defaults {
        let owned = Unmanaged.passRetained(made)
        let (_, first) = defaults.compareExchange(
            expected: nil, desired: UnsafeRawPointer(owned.toOpaque()), ordering: .acquiringAndReleasing)
        guard let first else { return made }
        owned.release()
        return Unmanaged<Defaults>.fromOpaque(first).takeUnretainedValue()
    }

    private func makeDefaultRow() -> Snapshot {
        let row = Snapshot.make(layout, key: 0, version: 0)
        for (column, slot) in compiled.columns.enumerated() {
            guard let value = box(slot)?.defaultValue else { continue }
            ValueBox.store(value, in: row, column: column, of: self, slot: slot)
        }
        return row
    }

    /// Returns the initial value of a transient attribute of a fetched object.
    func transientDefault(of slot: PropertySlot) -> SideValue? {
        hasTransientDefaults ? insertionDefaults.side.first { $0.slot == slot.index }?.value : nil
    }

    private func makeSideDefaults() -> [(slot: Int, value: SideValue)] {
        compiled.slots.compactMap { slot in
            guard slot.side != nil, let attribute = properties[slot.index] as? NSAttributeDescription,
                let value = attribute.defaultValue
            else { return nil }
            return (slot.index, SideValue(value))
        }
    }
}

extension NSEntityDescription {
    /// The data that the objects of the entity use on hot paths. Freezes the model if no coordinator has done
    /// so yet.
    final var runtime: EntityRuntime {
        if let known = runtimeLink?.target { return known }
        guard let model else {
            programmerError(
                "The entity \(name ?? "") belongs to no model: add it to one before making objects.")
        }
        do {
            let frozen = try model.freeze()
            guard let index = frozen.index(of: self) else {
                programmerError("The entity \(name ?? "") is not in its model any more.")
            }
            return frozen.runtime(index)
        } catch {
            programmerError("The model of the entity \(name ?? "") cannot be used: \(error)")
        }
    }
}
