import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

extension NSManagedObject {
    // MARK: Reading

    /// Returns the destination of a to-one relationship, which is kept alive as long as this object has
    /// values.
    final func toOne(at slot: PropertySlot) -> NSManagedObject? {
        fireIfNeeded()
        guard let column = slot.column, let row else { return side(at: slot.index) as? NSManagedObject }
        guard let reference = row.toOne(column) else { return nil }
        if let known = side(at: slot.index) as? NSManagedObject, known.reference == reference { return known }
        guard let context = registry?.context else { return side(at: slot.index) as? NSManagedObject }
        let object = context.object(for: reference, storeIndex: storeIndex)
        setSide(object, at: slot.index)
        return object
    }

    /// Returns a to-many relationship whose members may not be read yet.
    final func toManyUnloaded(at slot: PropertySlot) -> ToManyValue {
        if let value = side(at: slot.index) as? ToManyValue { return value }
        let isNew = reference.isTemporary && (isInserted || registry?.context?.source == nil)
        let value = ToManyValue(
            isOrdered: slot.relationship?.isOrdered ?? false, isLoaded: isNew || slot.isTransient)
        setSide(value, at: slot.index)
        return value
    }

    /// Returns a to-many relationship with its members read.
    final func toMany(at slot: PropertySlot) -> ToManyValue {
        fireIfNeeded()
        let value = toManyUnloaded(at: slot)
        if !value.isLoaded, let context = registry?.context {
            context.faultHandler.load(value, at: slot, of: self, in: context)
        }
        return value
    }

    final func baseHasFault(forRelationshipNamed key: String) -> Bool {
        guard let slot = runtime.slot(named: key), slot.relationship != nil else {
            programmerError(unknownKeyMessage(key))
        }
        guard slot.isToMany else { return isFault }
        if isFault { return true }
        return !toManyUnloaded(at: slot).isLoaded
    }

    final func baseObjectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        guard let slot = runtime.slot(named: key), slot.relationship != nil else {
            programmerError(unknownKeyMessage(key))
        }
        if slot.isToMany { return toMany(at: slot).array.map(\.objectID) }
        return toOne(at: slot).map { [$0.objectID] } ?? []
    }

    /// Returns all destinations, for delete rules and validation.
    final func destinations(at slot: PropertySlot) -> [NSManagedObject] {
        slot.isToMany ? toMany(at: slot).array : toOne(at: slot).map { [$0] } ?? []
    }

    /// Appends all destinations to a list.
    final func appendDestinations(at slot: PropertySlot, to objects: inout [NSManagedObject]) {
        if !slot.isToMany {
            if let destination = toOne(at: slot) { objects.append(destination) }
        } else if slot.relationship?.isOrdered == true {
            objects += toMany(at: slot).array
        } else {
            for member in toMany(at: slot).set { objects.append(member) }
        }
    }

    /// Returns the destinations that are known without reading the store.
    final func knownDestinations(at slot: PropertySlot) -> [NSManagedObject] {
        let value = side(at: slot.index)
        if slot.isToMany { return (value as? ToManyValue)?.array ?? [] }
        return (value as? NSManagedObject).map { [$0] } ?? []
    }

    /// Returns whether this context has removed the object, whose row refers to `owner`, from the
    /// relationship.
    final func isElsewhere(than owner: NSManagedObject, at slot: PropertySlot) -> Bool {
        guard isDirty else { return false }
        if isDeleted { return true }
        guard let row, let committed, let column = runtime.slot(named: slot.name)?.column else {
            return false
        }
        return !row.isEqual(column, to: committed) && row.toOne(column) != owner.reference
    }

    /// Returns whether the object refers to `owner`, as far as that is known without reading it.
    final func isHere(in owner: NSManagedObject, at slot: PropertySlot) -> Bool {
        guard !isDeleted, let row, let column = runtime.slot(named: slot.name)?.column else { return false }
        return row.toOne(column) == owner.reference
    }

    // MARK: Changing both sides

    final func setToOne(_ destination: NSManagedObject?, at slot: PropertySlot) {
        checkDestination(destination, slot)
        let present = toOne(at: slot)
        if present === destination {
            noteChange(of: slot.name)
            return
        }
        InverseMaintenance.replace(self, slot, present, with: destination)
        bothSidesChanged()
    }

    final func insertMember(_ member: NSManagedObject, at slot: PropertySlot, index: Int? = nil) {
        checkDestination(member, slot)
        let value = slot.relationship?.isOrdered == true ? toMany(at: slot) : toManyUnloaded(at: slot)
        if value.contains(member) { return }
        InverseMaintenance.connect(self, slot, member, index: index)
        bothSidesChanged()
    }

    final func removeMember(_ member: NSManagedObject, at slot: PropertySlot) {
        let value = toManyUnloaded(at: slot)
        if value.isLoaded {
            if !value.contains(member) { return }
        } else if let inverse = InverseMaintenance.inverse(of: slot, self), inverse.isToOne,
            member.toOne(at: inverse) !== self
        {
            // The member itself shows that it belongs to another object, without reading the members.
            return
        }
        InverseMaintenance.disconnect(self, slot, member)
        bothSidesChanged()
    }

    /// Replaces the members.
    final func setMembers(_ members: [NSManagedObject], at slot: PropertySlot) {
        let value = toMany(at: slot)
        let wanted = Set(members)
        for member in value.array where !wanted.contains(member) {
            InverseMaintenance.disconnect(self, slot, member)
        }
        for member in members where !value.contains(member) {
            checkDestination(member, slot)
            InverseMaintenance.connect(self, slot, member, index: nil)
        }
        if value.isOrdered, value.array != members { value.reorder(members.distinct) }
        noteChange(of: slot.name)
        bothSidesChanged()
    }

    private final func bothSidesChanged() { registry?.context?.changeFeed.lookAtWaiting() }

    private final func checkDestination(_ destination: NSManagedObject?, _ slot: PropertySlot) {
        guard let destination, let relationship = slot.relationship else { return }
        guard
            let model = registry?.context?.coordinator?.frozen
                ?? destination.registry?.context?.coordinator?.frozen
        else { return }
        let expected = model.compiled[relationship.destination]
        guard expected.includes(destination.runtime.index) else {
            programmerError(
                "Unacceptable type of value for to-one relationship: property = \"\(slot.name)\"; desired type = "
                    + "\(expected.name); given type = \(destination.runtime.name); value = "
                    + "\(destination.objectID.uriRepresentation()).")
        }
        if let mine = registry, let theirs = destination.registry, mine !== theirs {
            programmerError(
                "Illegal attempt to establish a relationship '\(slot.name)' between objects in different contexts "
                    + "(source = \(objectID.uriRepresentation()), destination = "
                    + "\(destination.objectID.uriRepresentation())): fetch the destination in the source's context."
            )
        }
    }

    // MARK: One side only

    /// Returns a to-many relationship that is to change, and reads it if changes are recorded for undo.
    private final func toManyForChange(at slot: PropertySlot) -> ToManyValue {
        registry?.context?.recordsUndo ?? false ? toMany(at: slot) : toManyUnloaded(at: slot)
    }

    /// Sets one side of a relationship; the caller sets the other.
    final func link(_ slot: PropertySlot, _ destination: NSManagedObject, index: Int? = nil) {
        if slot.isToMany {
            let value = index == nil ? toManyForChange(at: slot) : toMany(at: slot)
            value.insert(destination, at: index)
        } else {
            if let column = slot.column { ownRow().setToOne(column, destination.reference) }
            setSide(destination, at: slot.index)
        }
        noteLinkChange(of: slot.name)
    }

    final func unlink(_ slot: PropertySlot, _ destination: NSManagedObject) {
        if slot.isToMany {
            toManyForChange(at: slot).remove(destination)
        } else {
            if let column = slot.column { ownRow().setNull(column) }
            setSide(nil, at: slot.index)
        }
        noteLinkChange(of: slot.name)
    }
}
