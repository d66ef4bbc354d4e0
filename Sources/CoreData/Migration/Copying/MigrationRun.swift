import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues
import Foundation

/// The execution of a mapping model: three passes over its entity mappings, in order, in which policies treat
/// each object.
///
/// Objects are read in batches and, where the store is not written as a whole, also saved in batches, so that
/// a run holds the objects of one batch.
final class MigrationRun {
    private struct Item {
        let mapping: NSEntityMapping
        let policy: NSEntityMigrationPolicy
    }

    static let batchSize = 500

    private let manager: NSMigrationManager
    private let destination: StoreLocation
    private let items: [Item]
    private var finishedSteps = 0

    /// Checks the mapping and makes its policies.
    ///
    /// - Throws: `NSMigrationError` if the mapping does not fit the models of the manager,
    ///   `NSEntityMigrationPolicyError` if one of its policies cannot be found.
    init(_ manager: NSMigrationManager, _ mapping: NSMappingModel, _ destination: StoreLocation) throws {
        self.manager = manager
        self.destination = destination
        let check = MappingCheck(source: manager.source.model, destination: manager.destination.model)
        try check.check(mapping)
        let policies = MigrationPolicies(manager)
        items = try mapping.entityMappings.map { Item(mapping: $0, policy: try policies.policy(of: $0)) }
    }

    func run() throws {
        for item in items { try createInstances(item) }
        for item in items { try createRelationships(item) }
        for item in items { try validate(item) }
        try save()
        try validateObjects()
        try requireSound()
    }

    // MARK: Passes

    private func createInstances(_ item: Item) throws {
        let (mapping, policy) = (item.mapping, item.policy)
        MigrationDebug.log("making the objects of the mapping \(mapping.name ?? "")")
        try call(item) { try policy.begin(mapping, with: manager) }
        if manager.destinationEntity(for: mapping) != nil {
            try MappingSources(manager, mapping).forEachBatch(of: Self.batchSize) { sources, fraction in
                for source in sources {
                    try call(item) {
                        try policy.createDestinationInstances(
                            forSource: source, in: mapping, manager: manager)
                    }
                }
                try finishBatch(fraction)
            }
        }
        try call(item) { try policy.endInstanceCreation(forMapping: mapping, manager: manager) }
        finish()
    }

    private func createRelationships(_ item: Item) throws {
        let (mapping, policy) = (item.mapping, item.policy)
        MigrationDebug.log("setting the relationships of the mapping \(mapping.name ?? "")")
        manager.begin(mapping)
        try forEachBatch(madeBy: mapping) { batch in
            // Reading the sources of a batch at once saves one query for each source.
            let sources = try manager.source.objects(
                batch.flatMap { manager.associations.sources(of: $0, mapping.name) })
            try withExtendedLifetime(sources) {
                for object in try manager.destination.objects(batch) where !object.isDeleted {
                    try call(item) {
                        try policy.createRelationships(forDestination: object, in: mapping, manager: manager)
                    }
                }
            }
        }
        try call(item) { try policy.endRelationshipCreation(forMapping: mapping, manager: manager) }
        finish()
    }

    private func validate(_ item: Item) throws {
        try call(item) { try item.policy.performCustomValidation(forMapping: item.mapping, manager: manager) }
        try call(item) { try item.policy.end(item.mapping, manager: manager) }
        finish()
    }

    private func call(_ item: Item, _ body: () throws -> Void) throws {
        try manager.requireNotCancelled()
        manager.begin(item.mapping)
        do {
            try body()
        } catch {
            // An earlier failed read may have caused the policy's error; it is thrown instead.
            try requireSound()
            throw MigrationFailure.policy(item.policy, item.mapping, error)
        }
        try requireSound()
        try manager.requireNotCancelled()
    }

    /// Throws an error that could not be thrown to policies when it occurred.
    private func requireSound() throws {
        do {
            try manager.source.requireRead()
        } catch {
            throw MigrationFailure.source(manager.source.store?.url ?? .nowhere, error)
        }
        do {
            try manager.destination.requireRead()
        } catch {
            throw MigrationFailure.destination(destination.url, error)
        }
        if let failure = manager.associations.failure { throw MigrationFailure.notes(failure) }
    }

    // MARK: Batches

    private func forEachBatch(
        madeBy mapping: NSEntityMapping, _ body: ([ObjectReference]) throws -> Void
    ) throws {
        let associations = manager.associations
        let count = associations.madeCount(by: mapping.name)
        var seen = 0
        try associations.forEachBatch(madeBy: mapping.name, of: Self.batchSize) { batch in
            try requireSound()
            try body(batch)
            seen += batch.count
            try finishBatch(Float(seen) / Float(max(count, seen)))
        }
    }

    private func finishBatch(_ fraction: Float) throws {
        if destination.isWrittenPiecewise { try save() }
        manager.source.forgetValues()
        report(fraction)
    }

    private func save() throws {
        let context = manager.destinationContext
        guard context.hasChanges else { return }
        // Mandatory relationships are set in a later pass.
        context.validatesSaves = !destination.isWrittenPiecewise
        if destination.isWrittenPiecewise { manager.destination.keepUnassociated() }
        let deleted = context.deletedObjects.map(manager.destination.reference)
        do {
            try context.save()
        } catch {
            try requireSound()
            throw MigrationFailure.saving(error, to: destination.url)
        }
        try requireSound()
        manager.followPermanentReferences()
        for gone in deleted + manager.destination.forgetUnsaved() { manager.associations.remove(gone) }
        if destination.isWrittenPiecewise { manager.destination.forgetValues() }
    }

    /// Validates all objects, since batches were saved without that.
    private func validateObjects() throws {
        guard destination.isWrittenPiecewise else { return }
        let frozen = manager.destination.coordinator.frozen
        for entity in frozen.compiled.entities where !entity.isAbstract {
            guard frozen.runtime(entity.index).validation.hasRules else { continue }
            var last: ObjectReference?
            while true {
                try manager.requireNotCancelled()
                let page = try manager.destination.page(
                    of: frozen.entity(entity.index), after: last, limit: Self.batchSize)
                for object in try manager.destination.objects(page) {
                    do { try object.validateForInsert() } catch {
                        try requireSound()
                        throw MigrationFailure.saving(error, to: destination.url)
                    }
                }
                try requireSound()
                try save()
                manager.destination.forgetValues()
                guard page.count == Self.batchSize else { break }
                last = page.last
            }
        }
    }

    // MARK: Progress

    private func finish() {
        finishedSteps += 1
        report(0)
    }

    private func report(_ fraction: Float) {
        manager.report((Float(finishedSteps) + fraction) / Float(3 * items.count))
    }
}
