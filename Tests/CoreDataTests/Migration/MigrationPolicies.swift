import CoreData
import Foundation

/// The notes of policies, under "notes" in the user info of their manager.
final class MigrationNotes {
    var lines: [String] = []
    var progress: [Float] = []
    var largestContext = 0

    static func of(_ manager: NSMigrationManager) -> MigrationNotes? {
        manager.userInfo?["notes"] as? MigrationNotes
    }
}

/// Calls super, and records the call.
class NotingPolicy: NSEntityMigrationPolicy {
    private func note(_ hook: String, _ mapping: NSEntityMapping, _ manager: NSMigrationManager) {
        guard let notes = MigrationNotes.of(manager) else { return }
        let isCurrent = manager.currentEntityMapping === mapping
        notes.lines.append("\(mapping.name!) \(hook)\(isCurrent ? "" : ", not current")")
        notes.progress.append(manager.migrationProgress)
        notes.largestContext = max(
            notes.largestContext, manager.sourceContext.registeredObjects.count,
            manager.destinationContext.registeredObjects.count)
    }

    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        note("begin", mapping, manager)
    }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        note("create \(sInstance.value(forKey: "name")!)", mapping, manager)
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }

    override func endInstanceCreation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        note("endInstances", mapping, manager)
    }

    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        note("relate \(dInstance.value(forKey: "name")!)", mapping, manager)
        try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }

    override func endRelationshipCreation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        note("endRelationships", mapping, manager)
    }

    override func performCustomValidation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        note("validate", mapping, manager)
    }

    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("end", mapping, manager)
    }
}

/// Makes a person and the address that was part of it, one address for all people there.
class SplittingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let person = manager.destinationInstances(
            forEntityMappingName: mapping.name, sourceInstances: [sInstance])[0]
        guard let street = sInstance.value(forKey: "street") as? String else { return }
        var known = manager.userInfo?["addresses"] as? [String: NSManagedObject] ?? [:]
        let address =
            known[street]
            ?? NSEntityDescription.insertNewObject(
                forEntityName: "Address", into: manager.destinationContext)
        address.setValue(street, forKey: "street")
        known[street] = address
        manager.userInfo = (manager.userInfo ?? [:]).merging(["addresses": known]) { $1 }
        person.setValue(address, forKey: "home")
    }
}

/// Makes an address for each street, unless the context's objects contain it already.
class LookingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let made = manager.destinationInstances(
            forEntityMappingName: mapping.name, sourceInstances: [sInstance])[0]
        let (context, street) = (manager.destinationContext, sInstance.value(forKey: "street") as! String)
        let known = context.registeredObjects.first { object in
            !object.isFault && object.entity.name == "Address"
                && object.value(forKey: "street") as? String == street
        }
        let address = known ?? NSEntityDescription.insertNewObject(forEntityName: "Address", into: context)
        address.setValue(street, forKey: "street")
        made.setValue(address, forKey: "home")
    }
}

/// Uses an object that another mapping has made already, if it has the same mail.
class MergingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: mapping.destinationEntityName!)
        request.predicate = NSPredicate(format: "mail == %@", sInstance.value(forKey: "mail") as! String)
        guard let present = try manager.destinationContext.fetch(request).first else {
            return try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        }
        present.setValue("both", forKey: "kind")
        manager.associate(sourceInstance: sInstance, withDestinationInstance: present, for: mapping)
    }
}

/// Has a method that expressions call.
class NamingPolicy: NSEntityMigrationPolicy {
    override func value(forSelector name: String, arguments: [Any?]) throws -> Any? {
        guard name == "fullNameOf:separator:" else {
            return try super.value(forSelector: name, arguments: arguments)
        }
        let person = arguments[0] as! NSManagedObject
        return [person.value(forKey: "first"), person.value(forKey: "last")].compactMap { $0 as? String }
            .joined(separator: arguments[1] as! String)
    }
}

/// Throws, or cancels, at the second object.
class StoppingPolicy: NSEntityMigrationPolicy {
    struct Failure: Error {}

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        guard sInstance.value(forKey: "name") as? String == "b" else { return }
        if manager.userInfo?["cancels"] as? Bool == true {
            manager.cancelMigrationWithError(Failure())
        } else {
            throw Failure()
        }
    }
}
