package import CoreDataModelFormat
package import CoreDataStore
package import Foundation

/// The content of a store file that is read and written as a whole.
package struct StoreContents: Sendable {
    package var metadata: StoredMetadata
    package var tables: MemoryTables

    package init(metadata: StoredMetadata, tables: MemoryTables) {
        self.metadata = metadata
        self.tables = tables
    }
}

/// A format of store files that are read and written as a whole.
package protocol StoreFileFormat: Sendable {
    /// The highest key of a new store.
    static var keyBase: Int64 { get }
    /// Returns whether a file of the format may begin with these bytes.
    static func canRead(_ start: Data) -> Bool
    /// Reads the metadata of a file without reading its rows.
    static func metadata(of file: Data) throws(StoreError) -> StoredMetadata
    static func read(
        _ file: Data, _ model: CompiledModel, _ layouts: RowLayouts
    ) throws(StoreError) -> StoreContents
    /// Returns a file with other metadata and otherwise unchanged.
    static func replacing(_ metadata: StoredMetadata, in file: Data) throws(StoreError) -> Data
    static func write(_ contents: StoreContents) throws(StoreError) -> Data
}
