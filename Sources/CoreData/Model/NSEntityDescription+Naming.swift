import CoreDataStore

extension NSEntityDescription: EntityNaming {
    package final var entityName: String { name ?? "" }
}
