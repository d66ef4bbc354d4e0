internal import CoreData
internal import CoreDataSyncCore

/// The writer of values that lost, or were rejected, back into the store: as edits of the app, which all
/// devices get.
struct ValueRestorer: Sendable {
    let reader: StoreReader

    /// The author of these edits, which captures take for the app's.
    private static let author = "OpenCoreData.restore"

    private var binding: ModelBinding { reader.binding }

    /// Writes a value.
    ///
    /// - Parameter register: Nil for the existence of the object.
    /// - Throws: `StoreSyncError.issue` if there is no place for the value; an error of the save.
    func write(
        _ value: SyncValue, _ register: String?, of item: ItemKey, _ ledger: TrackedLedger
    ) async throws {
        let context = reader.access.makeContext()
        context.transactionAuthor = Self.author
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        try await context.perform {
            switch item {
            case .object(let id):
                let object = try object(id, ledger, context)
                if let register {
                    try set(value, register, of: object, ledger, context)
                } else {
                    guard value == .boolean(false) else {
                        throw Self.refusal("an object cannot be made again")
                    }
                    context.delete(object)
                }
            case .pair(let name, let first, let second):
                guard register == ItemState.presence else { throw Self.noPlace }
                let (owner, partner) = (
                    try object(first, ledger, context), try object(second, ledger, context)
                )
                try relate(owner, partner, name, isPresent: value == .boolean(true))
            }
            try context.save()
        }
    }

    private static func refusal(_ problem: String) -> StoreSyncError { .issue(problem) }
    private static let noPlace = refusal("a place in an order cannot be restored")

    private func object(
        _ id: SyncID, _ ledger: TrackedLedger, _ context: NSManagedObjectContext
    ) throws -> NSManagedObject {
        guard let local = ledger.entry(.object(ledger.resolved(id)))?.local,
            let objectID = binding.objectID(local, in: reader.access)
        else { throw Self.refusal("the store does not have the object \(id.uuid)") }
        return try context.existingObject(with: objectID)
    }

    private func set(
        _ value: SyncValue, _ name: String, of object: NSManagedObject, _ ledger: TrackedLedger,
        _ context: NSManagedObjectContext
    ) throws {
        guard let entity = binding.entity(named: object.entity.name),
            let register = entity.registers.first(where: { $0.name == name })
        else { throw name.hasSuffix("#") ? Self.noPlace : Self.refusal("the model has no property \(name)") }
        for (attribute, part) in register.attributes(of: value) {
            let whole = try reader.blobs.whole(part)
            object.setValue(StoreValue.object(whole, attribute), forKey: attribute.property)
        }
        guard case .reference(let property, _) = register.place else { return }
        let target = try value.reference.map { try self.object($0, ledger, context) }
        object.setValue(target, forKey: property)
    }

    private func relate(
        _ owner: NSManagedObject, _ partner: NSManagedObject, _ name: String, isPresent: Bool
    ) throws {
        guard let entity = binding.entity(named: owner.entity.name),
            let pairs = entity.pairs.first(where: { $0.side.name == name && $0.side.isFirst })
        else { throw Self.refusal("the model has no relationship \(name)") }
        pairs.set(partner, in: owner, isPresent: isPresent)
    }
}

extension EntityBinding.Pairs {
    /// Adds a partner to those of an object, or takes it away.
    func set(_ partner: NSManagedObject, in owner: NSManagedObject, isPresent: Bool) {
        if !isToMany {
            let present = owner.primitive(property) as? NSManagedObject
            if isPresent != (present === partner) {
                owner.setValue(isPresent ? partner : nil, forKey: property)
            }
        } else if isOrdered {
            let members = owner.mutableOrderedSetValue(forKey: property)
            if isPresent { members.add(partner) } else { members.remove(partner) }
        } else {
            let members = owner.mutableSetValue(forKey: property)
            if isPresent { members.add(partner) } else { members.remove(partner) }
        }
    }
}
