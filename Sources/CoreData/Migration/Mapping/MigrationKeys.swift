// The names of the variables in value expressions: `$source`, `$manager` and so on.

/// The name of the variable for the migration manager: `$manager`.
public let NSMigrationManagerKey = "manager"
/// The name of the variable for the object of the source store that a value is taken from: `$source`.
public let NSMigrationSourceObjectKey = "source"
/// The name of the variable for the object of the destination store that gets the value: `$destination`.
public let NSMigrationDestinationObjectKey = "destination"
/// The name of the variable for the entity mapping that is carried out: `$entityMapping`.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The name of the variable for the property mapping that the expression belongs to: `$propertyMapping`.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The name of the variable for the policy that carries the entity mapping out: `$entityPolicy`.
public let NSMigrationEntityPolicyKey = "entityPolicy"
