import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

extension NSManagedObject {
    // MARK: State

    /// Whether the object is inserted: in a context, and not saved yet.
    public final var isInserted: Bool { flags.contains(.inserted) }
    /// Whether the object changed since it was last saved or fetched, and is not an inserted one.
    ///
    /// True as well if the values were set back; `hasPersistentChangedValues` compares them.
    public final var isUpdated: Bool { flags.contains(.updated) }
    /// Whether the next save deletes the object, or its row was found gone; false again after the save.
    public final var isDeleted: Bool { flags.contains(.deleted) }
    /// Whether the object is inserted, updated or deleted.
    final var isDirty: Bool { !flags.isDisjoint(with: .changed) }
    /// Whether the object has no values yet: they are read at first use.
    public final var isFault: Bool { words == nil }
    /// Whether the object is deleted, and its row with it.
    final var isGone: Bool { flags.contains([.deleted, .inaccessible]) }

    final var differsFromStore: Bool {
        if isInserted || isDeleted { return true }
        return isUpdated && !changedSlots().isEmpty
    }

    /// Returns the values that a save would write.
    ///
    /// A value that was set through a primitive accessor counts only if the object has another change.
    final func baseChangedValues() -> [String: Any] {
        guard isDirty else { return [:] }
        var result: [String: Any] = [:]
        for slot in changedSlots() {
            let property = runtime.slot(at: slot)
            result[property.name] = primitive(at: property) ?? NSNull()
        }
        return result
    }

    final func baseChangedValuesForCurrentEvent() -> [String: Any] {
        // The flag `.tracked` also includes objects whose values were set back.
        guard flags.contains(.tracked) else { return [:] }
        var result: [String: Any] = [:]
        if let base = rowBeforeEvent, let row {
            for (column, slot) in runtime.columns.enumerated() where !row.isEqual(column, to: base) {
                result[slot.name] = storedValue(of: base, column: column, slot) ?? NSNull()
            }
        }
        for index in runtime.relationshipSlots {
            guard let value = side(at: index) as? ToManyValue, value.isChangedInEvent else { continue }
            let slot = runtime.slot(at: index)
            result[slot.name] =
                value.membersBeforeEvent.map { value.collection($0) } ?? committedMembers(slot)
        }
        return result
    }

    final func baseCommittedValues(forKeys keys: [String]?) -> [String: Any] {
        if committed == nil, !isInserted { fireIfNeeded() }
        var result: [String: Any] = [:]
        for name in keys ?? runtime.slots.map(\.name) {
            guard let slot = runtime.slot(named: name) else { programmerError(unknownKeyMessage(name)) }
            if let column = slot.column {
                guard let committed else {
                    if !isInserted { result[name] = NSNull() }
                    continue
                }
                result[name] = storedValue(of: committed, column: column, slot) ?? NSNull()
            } else if slot.isToMany, !slot.isTransient, !isInserted {
                result[name] = committedMembers(slot)
            }
        }
        return result
    }

    private final func committedMembers(_ slot: PropertySlot) -> Any {
        guard let context = registry?.context else { return NSNull() }
        let references = toMany(at: slot).committed ?? []
        let objects = context.objects(for: references, storeIndex: storeIndex)
        return toMany(at: slot).collection(objects)
    }

    final func storedValue(of row: Snapshot, column: Int, _ slot: PropertySlot) -> Any? {
        if slot.isToOne {
            guard let reference = row.toOne(column) else { return nil }
            return registry?.context?.object(for: reference, storeIndex: storeIndex)
        }
        return ValueBox.load(row, column: column, of: runtime, slot: slot)
    }

    /// Returns the slots whose values differ from the committed ones.
    ///
    /// A fault may have some: its to-many relationships change with their inverses.
    final func changedSlots() -> [Int] {
        var result: [Int] = []
        for slot in runtime.slots {
            if let column = slot.column {
                guard let row else { continue }
                if let committed {
                    if row !== committed, !row.isEqual(column, to: committed) { result.append(slot.index) }
                } else if !row.isNull(column) {
                    result.append(slot.index)
                }
            } else if slot.isToMany, !slot.isTransient {
                if let value = side(at: slot.index) as? ToManyValue, value.isChanged {
                    result.append(slot.index)
                }
            }
        }
        return result
    }

    // MARK: Side values

    final func side(at slot: Int) -> AnyObject? { slot < side.count ? side[slot] : nil }

    final func setSide(_ value: AnyObject?, at slot: Int) {
        if side.isEmpty {
            if value == nil { return }
            side = ContiguousArray(repeating: nil, count: runtime.slots.count)
        }
        side[slot] = value
    }

    /// Drops stored members of relationships and values made from the row, to be read again; changes stay.
    final func dropStoredSides() {
        for index in side.indices {
            if let value = side[index] as? ToManyValue, value.isChanged {
                value.refault()
                continue
            }
            if runtime.slot(at: index).isTransient { continue }
            if runtime.slot(at: index).attribute != nil, isChanged(at: index) { continue }
            side[index] = nil
        }
    }

    /// Takes back changes of relationships whose members are known, and drops all other values outside of the
    /// row.
    final func restoreMembers() {
        guard let context = registry?.context else { return side = [] }
        for index in side.indices {
            guard let value = side[index] as? ToManyValue, let committed = value.committed else {
                side[index] = nil
                continue
            }
            if value.isChanged {
                value.restore(context.objects(for: committed, storeIndex: storeIndex))
            }
        }
    }

    private final func isChanged(at slot: Int) -> Bool {
        guard let column = runtime.slot(at: slot).column, let row, let committed else { return false }
        return !row.isEqual(column, to: committed)
    }

    // MARK: Rows

    /// Gives the object the values of a new one.
    final func takeDefaults() {
        let row = runtime.withInsertionDefaults { defaults in
            for (slot, value) in defaults.side { setSide(value, at: slot) }
            return defaults.row.clone()
        }
        row.key = reference.key
        // The row is not shared, and has the defaults until it is written.
        setRow(row, owned: true)
    }

    /// Makes a row the object's values.
    ///
    /// - Parameters:
    ///   - row: The row, which is not the committed one.
    ///   - owned: Whether writes go to this row; otherwise the next write copies it.
    @inline(__always)
    final func setRow(_ row: consuming Snapshot, owned: Bool) {
        words = row.words
        self.row = consume row
        if owned { flags.insert(.ownsRow) } else { flags.remove(.ownsRow) }
        checkInvariants()
    }

    /// Makes a committed row the object's values.
    final func adopt(_ snapshot: consuming Snapshot) {
        words = snapshot.words
        flags.remove(.ownsRow)
        if committed !== snapshot { committed = copy snapshot }
        if row !== snapshot { row = consume snapshot }
        checkInvariants()
    }

    /// Makes a row of the object's own its values; the committed row stays.
    ///
    /// It counts as shared: the next write copies it, so that the values from before the write are known.
    final func take(_ own: Snapshot) {
        setRow(own, owned: false)
    }

    /// Returns the row to write to, which is the object's own; fills a fault.
    final func ownRow() -> Snapshot {
        fireIfNeeded()
        if flags.contains(.ownsRow), let row { return row }
        guard let shared = row.take() else { programmerError("\(objectID) has no values to change") }
        let copy = shared.clone()
        if registry != nil { eventBase = shared }
        setRow(copy, owned: true)
        return copy
    }

    /// The values when the present event began, if they may have changed; for a new object, the defaults.
    final var rowBeforeEvent: Snapshot? {
        eventBase ?? (flags.contains([.pendingInsert, .ownsRow]) ? runtime.insertionDefaults.row : nil)
    }

    /// Makes the object a fault: drops values and relationships.
    final func turnIntoFault() {
        guard words != nil || !side.isEmpty else { return }
        willTurnIntoFault()
        words = nil
        row = nil
        side = []
        flags.remove([.ownsRow])
        checkInvariants()
        registry?.context?.releaseRow(of: self)
        didTurnIntoFault()
    }

    // MARK: Firing

    @inline(__always)
    final func fireIfNeeded() {
        if words == nil { fire() }
    }

    @usableFromInline final func fire() {
        guard let context = registry?.context else { return standEmpty() }
        if !flags.isDisjoint(with: [.inserted, .inaccessible]), standWithoutRow() { return }
        guard let snapshot = context.faultHandler.snapshot(for: self, in: context) else {
            return context.handleInaccessible(self, property: nil)
        }
        fill(from: snapshot)
    }

    /// Gives an object without a row its values: the defaults to a new one, nil to one whose row is gone.
    private final func standWithoutRow() -> Bool {
        guard isInserted || isGone else { return false }
        if isGone { standEmpty() } else { takeDefaults() }
        return true
    }

    /// Makes every value of a fault nil, since it cannot be filled.
    ///
    /// For deleted and detached objects that is intended; a fault whose context was freed is probably a
    /// mistake, and the log says so.
    private final func standEmpty() {
        if registry != nil, !isGone {
            FrameworkLog.warning(
                "\(type(of: self)) \(objectID.uriRepresentation()) is a fault whose context is gone and reads as "
                    + "nil: keep the context as long as its objects are used.")
        }
        adopt(Snapshot.make(runtime.layout, key: reference.key, version: 0))
        committed = nil
    }

    /// Detaches the object as an empty fault; its ID still names its row.
    final func leaveContext() {
        registry?.unregister(self)
        leaveUnregistered()
    }

    /// Detaches an object that the context does not find by its row any more.
    final func leaveUnregistered() {
        keepID()
        row = nil
        words = nil
        side = []
        flags = []
        registry?.context?.releaseRow(of: self)
        registry = nil
        committed = nil
        checkInvariants()
    }

    /// Turns a fault into an object with values.
    final func fill(from snapshot: Snapshot) {
        adopt(snapshot)
        if runtime.hasTransientDefaults { takeTransientDefaults() }
        flags.insert(.awaking)
        awakeFromFetch()
        flags.remove(.awaking)
    }

    private final func takeTransientDefaults() {
        for (slot, value) in runtime.insertionDefaults.side
        where runtime.slot(at: slot).isTransient && side(at: slot) == nil {
            setSide(value, at: slot)
        }
    }

    // MARK: Noting changes

    @usableFromInline final func noteChange(of property: ManagedProperty) {
        // A transient object has no context that would note the change.
        if registry != nil { noteChange(of: property.name) }
    }

    /// Marks the object as changed; while its values are being awakened, nothing counts as a change.
    ///
    /// - Parameter key: The property that changed, if it is one.
    final func noteChange(of key: String? = nil) {
        // Most changes follow another change of the object in the same event.
        if flags.areNoted, !ConcurrencyDebug.isOn { return }
        guard let context = noteUpdate(of: key) else { return }
        if flags.contains(.observed) { context.changeFeed.lookAgain(at: self) }
    }

    /// Notes that one side of a relationship changed; observations check the object after both sides have.
    final func noteLinkChange(of key: String) {
        guard let context = noteUpdate(of: key) else { return }
        if flags.contains(.observed) { context.changeFeed.lookLater(at: self) }
    }

    private final func noteUpdate(of key: String?) -> NSManagedObjectContext? {
        guard !flags.contains(.awaking), let context = registry?.context else { return nil }
        context.checkQueue("a change of \(runtime.name)\(key.map { ".\($0)" } ?? "")")
        context.tracker.noteUpdate(self, in: context)
        return context
    }

    final func noteWillChange(_ key: String) {
        guard let slot = runtime.slot(named: key) else { return }
        fireIfNeeded()
        if slot.relationship != nil { registry?.context?.tracker.rememberRelationship(slot, of: self) }
    }

    final func noteDidChange(_ key: String) {
        guard let slot = runtime.slot(named: key) else {
            if !type(of: self).contextShouldIgnoreUnmodeledPropertyChanges { noteChange() }
            return
        }
        noteChange(of: key)
        if slot.relationship != nil { registry?.context?.tracker.reconcileRelationship(slot, of: self) }
    }

    // MARK: Messages

    final func unknownKeyMessage(_ key: String) -> String {
        "the entity \(runtime.name) is not key value coding-compliant for the key \"\(key)\": the model "
            + "has no such property (class \(type(of: self)))."
    }
}
