/// The way in which an entity mapping treats the objects of its source.
public enum NSEntityMappingType: UInt, Sendable {
    /// The default: objects are made, and filled by the mapping's expressions.
    case undefinedEntityMappingType = 0
    /// A policy of the app makes the objects.
    case customEntityMappingType = 1
    /// The entity is new; no source has its objects.
    case addEntityMappingType = 2
    /// The entity is gone; objects of the source have no successors.
    case removeEntityMappingType = 3
    /// The entity is kept unchanged, under its name.
    case copyEntityMappingType = 4
    /// The entity has changed; its objects are made, and filled by the mapping's expressions.
    case transformEntityMappingType = 5
}
