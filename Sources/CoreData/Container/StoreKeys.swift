// Store types, and the keys of store metadata.

/// A SQLite database.
public let NSSQLiteStoreType = "SQLite"
/// A PostgreSQL database, at a `postgresql` URL.
///
/// Needs the product `CoreDataPostgreSQL`: in a program without it, adding such a store fails with
/// `NSPersistentStoreInvalidTypeError` (134000). An addition to Apple's types.
public let PostgreSQLStoreType = "PostgreSQL"
/// An XML file, read and written as a whole.
///
/// Unlike Apple's: refuses texts with control characters, and names that differ only in the case of their
/// letters. Has query generations.
public let NSXMLStoreType = "XML"
/// A binary file, read and written as a whole.
///
/// Unlike Apple's: in a format of its own, described at `BinaryStoreFormat`; neither framework reads the
/// other's. Has query generations.
public let NSBinaryStoreType = "Binary"
/// A store in memory, whose content is lost when the store is closed.
///
/// Unlike Apple's: has query generations.
public let NSInMemoryStoreType = "InMemory"

/// The type of the store.
public let NSStoreTypeKey = "NSStoreType"
/// The identifier of the store, a UUID as a string, which object URIs carry.
public let NSStoreUUIDKey = "NSStoreUUID"
/// The version hashes of the entities that the store was made with, as `Data` by name.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// The version identifiers of the model that the store was made with.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// The oldest system of Apple's that can open the store; this framework neither sets nor reads it.
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"
/// The checksum of the model that the store was made with.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"
