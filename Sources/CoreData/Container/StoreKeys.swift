// Store types, and the keys of store metadata.

/// A SQLite database.
public let NSSQLiteStoreType = "SQLite"
/// An XML file, read and written as a whole.
public let NSXMLStoreType = "XML"
/// A binary file, read and written as a whole.
public let NSBinaryStoreType = "Binary"
/// Memory: gone with the store.
public let NSInMemoryStoreType = "InMemory"

/// The type of the store.
public let NSStoreTypeKey = "NSStoreType"
/// What tells the store from every other.
public let NSStoreUUIDKey = "NSStoreUUID"
/// The version hashes of the entities the store was made with, by name.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// The version identifiers of the model the store was made with.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// The oldest system that can open the store.
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"
/// The checksum of the model the store was made with.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"
