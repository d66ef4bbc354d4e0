import CoreData
import Foundation

/// Migrates a store of many rows to another model, in place.
struct MigrationSuite {
    let bench: Workbench

    private enum Change: CaseIterable {
        case addOptional, addDefault, rename, remove, convert

        var name: String {
            switch self {
            case .addOptional: "an attribute more"
            case .addDefault: "a mandatory attribute with a default more"
            case .rename: "an attribute renamed"
            case .remove: "an attribute less"
            case .convert: "a number of another type"
            }
        }

        /// The statements that make the same change, without any bookkeeping.
        var sql: String {
            switch self {
            case .addOptional: "ALTER TABLE ZITEM ADD COLUMN ZEXTRA VARCHAR"
            case .addDefault: "UPDATE ZITEM SET ZRANK = 7"
            case .rename: "ALTER TABLE ZITEM RENAME COLUMN ZCITY TO ZTOWN"
            case .remove: "ALTER TABLE ZITEM DROP COLUMN ZNOTE"
            case .convert: "UPDATE ZITEM SET ZSERIAL = CAST(ZSERIAL AS REAL)"
            }
        }

        func apply(to entity: NSEntityDescription) {
            let attribute = NSAttributeDescription()
            attribute.name = "extra"
            attribute.attributeType = .stringAttributeType
            attribute.isOptional = true
            switch self {
            case .addOptional: entity.properties.append(attribute)
            case .addDefault:
                attribute.attributeType = .integer64AttributeType
                attribute.isOptional = false
                attribute.defaultValue = 7
                entity.properties.append(attribute)
            case .rename:
                entity.attributesByName["city"]!.renamingIdentifier = "city"
                entity.attributesByName["city"]!.name = "town"
            case .remove: entity.properties.removeAll { $0.name == "note" }
            case .convert: entity.attributesByName["serial"]!.attributeType = .doubleAttributeType
            }
        }
    }

    func make() throws -> Suite {
        let rows = bench.sizes.batch * 10
        let model = Item.makeModel()
        let dataset = try Dataset("migrated", in: bench.folder, model) { context in
            let samples = bench.samples
            try Item.insertBatch(0..<rows, in: context) { $0.fill(from: samples[$1 % samples.count]) }
        }
        return Suite(
            name: "Migrate \(rows) rows in place", unit: "milliseconds",
            variants: Change.allCases.flatMap { change in
                [
                    Variant(name: "C, \(change.name)") {
                        try dataset.inC(full: true) { store in
                            try cost(of: 1_000_000) { try store.run(change.sql) }
                        }
                    },
                    Variant(name: "Core Data, \(change.name)", peerOf: "C, \(change.name)") {
                        try dataset.withCopy(full: true) { path in
                            let new = Item.makeModel()
                            change.apply(to: new.entities[0])
                            return try cost(of: 1_000_000) {
                                try Stack(
                                    path, new,
                                    [
                                        NSMigratePersistentStoresAutomaticallyOption: true,
                                        NSInferMappingModelAutomaticallyOption: true,
                                    ]
                                ).close()
                            }
                        }
                    },
                ]
            })
    }
}
