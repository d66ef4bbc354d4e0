package import CoreDataModelFormat
package import CoreDataStore
package import Foundation

/// Everything a file that is read and written as a whole has in it.
package struct StoreContents: Sendable {
    package var metadata: StoredMetadata
    package var tables: MemoryTables

    package init(metadata: StoredMetadata, tables: MemoryTables) {
        self.metadata = metadata
        self.tables = tables
    }
}

/// A format of such files.
package protocol StoreFileFormat: Sendable {
    /// The highest key of a new store.
    static var keyBase: Int64 { get }
    /// Whether files of the format may begin so.
    static func canRead(_ start: Data) -> Bool
    /// What the file says of itself, without reading its rows.
    static func metadata(of file: Data) throws(StoreError) -> StoredMetadata
    static func read(
        _ file: Data, _ model: CompiledModel, _ layouts: RowLayouts
    ) throws(StoreError) -> StoreContents
    /// The file with other metadata, and nothing else changed.
    static func replacing(_ metadata: StoredMetadata, in file: Data) throws(StoreError) -> Data
    static func write(_ contents: StoreContents) throws(StoreError) -> Data
}
