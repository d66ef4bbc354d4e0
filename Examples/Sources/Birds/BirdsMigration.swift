import SwiftData

/// The way of a store from the first version to the present one.
public enum BirdsMigration: SchemaMigrationPlan {
    public static var schemas: [any VersionedSchema.Type] { [BirdsV1.self, BirdsV2.self] }
    public static var stages: [MigrationStage] { [uniqueSpecies] }

    /// Leaves one species of those with the same code, since the second version wants it unique.
    static var uniqueSpecies: MigrationStage {
        .custom(
            fromVersion: BirdsV1.self, toVersion: BirdsV2.self,
            willMigrate: { context in
                let species = try context.fetch(FetchDescriptor<BirdsV1.Species>())
                for twins in Dictionary(grouping: species, by: \.code).values where twins.count > 1 {
                    for twin in twins.dropFirst() {
                        for sighting in twin.sightings { sighting.species = twins[0] }
                        context.delete(twin)
                    }
                }
                try context.save()
            }, didMigrate: nil)
    }
}

/// Returns the container of a store, migrated if an earlier version of the app made it.
///
/// - Parameter url: A file, or a PostgreSQL database; nil for `Birds.store` among the program's data.
public func birdsContainer(at url: URL? = nil) throws -> ModelContainer {
    let schema = Schema(versionedSchema: BirdsV2.self)
    let configuration =
        if let url {
            ModelConfiguration(schema: schema, url: url)
        } else {
            ModelConfiguration("Birds", schema: schema)
        }
    return try ModelContainer(
        for: schema, migrationPlan: BirdsMigration.self, configurations: configuration)
}
