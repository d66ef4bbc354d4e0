/// What an entity mapping does with the objects of its source.
public enum NSEntityMappingType: UInt, Sendable {
    /// The default: a mapping that nobody has said more of. Its objects are made and filled as its expressions say.
    case undefinedEntityMappingType = 0
    /// A policy of the app says how.
    case customEntityMappingType = 1
    /// The entity is new; nothing is the source of its objects.
    case addEntityMappingType = 2
    /// Objects of the source have no successors.
    case removeEntityMappingType = 3
    /// The entity goes on under its name.
    case copyEntityMappingType = 4
    /// The entity becomes another one.
    case transformEntityMappingType = 5
}
