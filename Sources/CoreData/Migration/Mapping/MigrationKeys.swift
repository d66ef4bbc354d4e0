// What value expressions call what they work with: `$source`, `$manager` and so on.

/// The migration manager.
public let NSMigrationManagerKey = "manager"
/// The object of the source store that a value is taken from.
public let NSMigrationSourceObjectKey = "source"
/// The object of the destination store that gets the value.
public let NSMigrationDestinationObjectKey = "destination"
/// The entity mapping that is carried out.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The property mapping that the expression belongs to.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The policy that carries the entity mapping out.
public let NSMigrationEntityPolicyKey = "entityPolicy"
