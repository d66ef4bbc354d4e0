import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

extension NSManagedObject {
    // MARK: Keys

    final func baseValue(forKey key: String) -> Any? {
        guard let index = runtime.slotIndex(named: key) else {
            if let value = unmodelledValue(forKey: key) { return value }
            guard let getter = exposedGetter(of: key) else { return value(forUndefinedKey: key) }
            return send(getter)
        }
        if runtime.hasWrittenAccessors, let getter = exposedGetter(of: key) { return send(getter) }
        fireIfNeeded()
        noteRead(key)
        if let words, let column = runtime.column(ofSlot: index),
            let value = ValueBox.plain(column, at: runtime.layout.columns[column], in: words)
        {
            return value
        }
        return primitive(at: runtime.slot(at: index))
    }

    /// Returns the value of a property of `NSManagedObject` itself that key-value access reaches.
    final func unmodelledValue(forKey key: String) -> Any? {
        switch key {
        case "objectID": objectID
        case "entity": entity
        case "self": self
        case "managedObjectContext": managedObjectContext
        case "isInserted", "inserted": NSNumber(value: isInserted)
        case "isUpdated", "updated": NSNumber(value: isUpdated)
        case "isDeleted", "deleted": NSNumber(value: isDeleted)
        case "isFault", "fault": NSNumber(value: isFault)
        case "hasChanges": NSNumber(value: hasChanges)
        default: nil
        }
    }

    final func baseSetValue(_ value: Any?, forKey key: String) {
        guard let slot = runtime.slot(named: key) else {
            if let setter = exposedSetter(of: key) { return send(setter, with: value, forKey: key) }
            guard let name = nameOfProperty(setBy: key) else { return setValue(value, forUndefinedKey: key) }
            return baseSetValue(value, forKey: name)
        }
        if runtime.hasWrittenAccessors, let setter = exposedSetter(of: key) {
            return send(setter, with: value, forKey: key)
        }
        fireIfNeeded()
        if let value, let column = slot.column, let type = row?.type(of: column),
            let plain = ValueBox.plainValue(value, as: type)
        {
            ownRow().setValue(column, plain)
            return noteChange(of: key)
        }
        let value = unwrapped(value)
        guard slot.relationship != nil else {
            setPrimitive(value, at: slot)
            return noteChange(of: key)
        }
        if slot.isToMany {
            setMembers(Self.members(value, slot), at: slot)
        } else {
            setToOne(Self.destination(value, slot), at: slot)
        }
    }

    /// Returns the property that a capitalised key sets: "Date" has the setter of "date", `setDate:`.
    private final func nameOfProperty(setBy key: String) -> String? {
        let name = key.prefix(1).lowercased() + key.dropFirst()
        return name != key && runtime.slot(named: name) != nil ? name : nil
    }

    private final func exposedGetter(of key: String) -> ExposedMethods.Method? {
        ExposedMethods.getter(of: key, of: type(of: self))
    }

    private final func exposedSetter(of key: String) -> ExposedMethods.Method? {
        ExposedMethods.setter(of: key, of: type(of: self))
    }

    private final func send(_ getter: ExposedMethods.Method) -> Any? {
        unwrapped(ExposedMethods.value(of: getter, on: self))
    }

    private final func send(_ setter: ExposedMethods.Method, with value: Any?, forKey key: String) {
        let value = unwrapped(value)
        do {
            _ = try setter(self, MessageArguments([value]))
        } catch {
            if value == nil { return setNilValueForKey(key) }
            programmerError("\(type(of: self)).\(key): \(error.localizedDescription)")
        }
    }

    /// Returns the value inside boxed optionals; nil for none and for `NSNull`.
    private final func unwrapped(_ value: Any?) -> Any? {
        guard let value else { return nil }
        // Checked first, since a cast looks up the conformances and bridging of the value, which takes
        // longer.
        if AttributeValue(plain: value) != nil { return value }
        let type = Swift.type(of: value)
        if type is NSObject.Type { return type is NSNull.Type ? nil : value }
        guard let optional = value as? any AnyOptional else { return value }
        return unwrapped(optional.wrapped)
    }

    static func destination(_ value: Any?, _ slot: PropertySlot) -> NSManagedObject? {
        guard let value else { return nil }
        guard let object = value as? NSManagedObject else {
            programmerError(
                "Unacceptable type of value for to-one relationship: property = \"\(slot.name)\"; desired type = "
                    + "NSManagedObject; given type = \(type(of: value)); value = \(value).")
        }
        return object
    }

    static func members(_ value: Any?, _ slot: PropertySlot) -> [NSManagedObject] {
        let elements: [Any]
        switch value {
        case nil: elements = []
        case let set as NSSet: elements = set.allObjects
        case let set as NSOrderedSet: elements = set.array
        case let array as [Any]: elements = array
        case let set as Set<NSManagedObject>: elements = Array(set)
        default: elements = [value as Any]
        }
        return elements.map { element in
            guard let object = element as? NSManagedObject else {
                programmerError(
                    "Unacceptable type of value for to-many relationship: property = \"\(slot.name)\"; desired "
                        + "type = NSSet; given type = \(type(of: element)); value = \(element).")
            }
            return object
        }
    }

    // MARK: Primitive values

    final func basePrimitiveValue(forKey key: String) -> Any? {
        guard let slot = runtime.slot(named: key) else { programmerError(unknownKeyMessage(key)) }
        fireIfNeeded()
        return primitive(at: slot)
    }

    final func primitive(at slot: PropertySlot) -> Any? {
        switch slot.kind {
        case .relationship(let relationship):
            guard relationship.isToMany else { return toOne(at: slot) }
            let value = toMany(at: slot)
            return relationship.isOrdered ? value.asOrderedSet : value.asSet
        case .attribute(let attribute):
            guard let column = slot.column, let row else {
                return (side(at: slot.index) as? SideValue)?.value
            }
            if row.isNull(column) {
                reportUnreadableValue(column)
                return nil
            }
            return attribute.type == .transformable
                ? transformed(row, column, slot)
                : ValueBox.load(row, column: column, of: runtime, slot: slot)
        case .fetchedProperty:
            return fetchedPropertyValue(slot)
        }
    }

    /// Returns the value of a transformable attribute, which is made once.
    private final func transformed(_ row: Snapshot, _ column: Int, _ slot: PropertySlot) -> Any? {
        guard !row.isNull(column) else { return nil }
        if let known = side(at: slot.index) as? SideValue { return known.value }
        let value = ValueBox.load(row, column: column, of: runtime, slot: slot)
        setSide(value.map(SideValue.init), at: slot.index)
        return value
    }

    /// Returns the result of a fetched property, which is fetched once.
    ///
    /// It is fetched again if the user info of the property has changed, since the request may refer to it.
    private final func fetchedPropertyValue(_ slot: PropertySlot) -> Any? {
        let known = side(at: slot.index) as? FetchedPropertyResult
        guard let context = registry?.context,
            let property = runtime.properties[slot.index] as? NSFetchedPropertyDescription,
            let request = property.fetchRequest
        else { return known?.objects }
        let revision = property.userInfoRevision
        if let known, known.revision == revision { return known.objects }
        let objects = context.fetchedPropertyResult(request, property: property, of: self)
        setSide(FetchedPropertyResult(objects: objects, revision: revision), at: slot.index)
        return objects
    }

    final func baseSetPrimitiveValue(_ value: Any?, forKey key: String) {
        guard let slot = runtime.slot(named: key) else { programmerError(unknownKeyMessage(key)) }
        fireIfNeeded()
        setPrimitive(unwrapped(value), at: slot)
    }

    final func setPrimitive(_ value: Any?, at slot: PropertySlot) {
        switch slot.kind {
        case .attribute(let attribute):
            guard let column = slot.column else {
                return setSide(value.map(SideValue.init), at: slot.index)
            }
            ValueBox.store(value, in: ownRow(), column: column, of: runtime, slot: slot)
            if attribute.type == .transformable { setSide(value.map(SideValue.init), at: slot.index) }
        case .relationship:
            setPrimitiveRelationship(value, at: slot)
        case .fetchedProperty:
            programmerError("\(runtime.name).\(slot.name) is a fetched property and cannot be set")
        }
    }

    /// Sets one side of a relationship; `didChangeValue(forKey:)` updates the other.
    private final func setPrimitiveRelationship(_ value: Any?, at slot: PropertySlot) {
        if slot.isToMany {
            let wanted = Self.members(value, slot)
            let present = toMany(at: slot)
            for member in present.array where !wanted.contains(member) { present.remove(member) }
            for member in wanted where !present.contains(member) { present.insert(member) }
            if present.isOrdered { present.reorder(wanted) }
        } else {
            let destination = Self.destination(value, slot)
            if let column = slot.column {
                if let destination {
                    ownRow().setToOne(column, destination.reference)
                } else {
                    ownRow().setNull(column)
                }
            }
            setSide(destination, at: slot.index)
        }
    }

    // MARK: Paths

    final func baseValue(forKeyPath keyPath: String) -> Any? {
        guard let dot = keyPath.firstIndex(of: ".") else { return value(forKey: keyPath) }
        guard let next = value(forKey: String(keyPath[..<dot])) else { return nil }
        return KeyPathAccess.value(of: next, String(keyPath[keyPath.index(after: dot)...]))
    }

    final func baseSetValue(_ value: Any?, forKeyPath keyPath: String) {
        guard let dot = keyPath.lastIndex(of: ".") else { return setValue(value, forKey: keyPath) }
        guard let target = self.value(forKeyPath: String(keyPath[..<dot])) else { return }
        let key = String(keyPath[keyPath.index(after: dot)...])
        switch target {
        case let object as NSManagedObject: object.setValue(value, forKey: key)
        case let set as NSSet:
            for case let object as NSManagedObject in set { object.setValue(value, forKey: key) }
        case let set as NSOrderedSet:
            for case let object as NSManagedObject in set { object.setValue(value, forKey: key) }
        default: programmerError("\(keyPath) leads through \(type(of: target)), whose keys cannot be set")
        }
    }

    // MARK: Proxies

    final func baseMutableSetValue(forKey key: String) -> NSMutableSet {
        RelationshipSet(self, toManySlot(key, ordered: false))
    }

    final func baseMutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        RelationshipOrderedSet(self, toManySlot(key, ordered: true))
    }

    private final func toManySlot(_ key: String, ordered: Bool) -> PropertySlot {
        guard let slot = runtime.slot(named: key) else { programmerError(unknownKeyMessage(key)) }
        guard slot.isToMany, slot.relationship?.isOrdered == ordered else {
            programmerError(
                "\(runtime.name).\(key) is not \(ordered ? "an ordered" : "an unordered") to-many: use "
                    + "\(ordered ? "mutableSetValue" : "mutableOrderedSetValue")(forKey:) or value(forKey:).")
        }
        return slot
    }
}

/// An optional whose type is not known.
private protocol AnyOptional {
    var wrapped: Any? { get }
}

extension Optional: AnyOptional {
    fileprivate var wrapped: Any? { map { $0 as Any } }
}
