package import CoreDataModelFormat
package import CoreDataStore
import CoreDataValues
package import Foundation

/// The format of binary stores: one file, read and written as a whole, that contains values only. Reading it
/// makes rows, and never an object of a class that the file names.
///
/// Numbers have a variable length (seven bits a byte, the lowest first; signed ones in zigzag encoding).
/// Texts and data begin with the number of their bytes. The parts of the file, in this order:
///
///     "OCDSTORE", the format's version (1)
///     UUID, metadata (a binary property list), the highest key
///     entities: name, columns (name, storage), to-many relationships (name)
///     rows, entity by entity: key, version, a value per column
///     members, row by row and relationship by relationship: entity and key
///     eight bytes: the FNV-1a hash of everything before
///
/// A value begins with a byte that says whether it is null.
package enum BinaryStoreFormat: StoreFileFormat {
    package static let keyBase: Int64 = 0
    static let signature = Data("OCDSTORE".utf8)
    static let version: UInt64 = 1
    static let checksumSize = 8

    package static func canRead(_ start: Data) -> Bool { start.starts(with: signature) }

    package static func metadata(of file: Data) throws(StoreError) -> StoredMetadata {
        var reader = try opened(file)
        return try metadata(&reader)
    }

    package static func read(
        _ file: Data, _ model: CompiledModel, _ layouts: RowLayouts
    ) throws(StoreError) -> StoreContents {
        guard file.count > checksumSize + signature.count else { throw corrupt("it ends too soon") }
        var reader = try opened(file)
        var trailer = ByteReader(file.suffix(checksumSize), complaint: complaint)
        guard try trailer.fixed() == checksum(file.dropLast(checksumSize)) else {
            throw corrupt("its checksum is wrong")
        }
        let metadata = try metadata(&reader)
        return StoreContents(
            metadata: metadata, tables: try BinaryStoreReader(model, layouts).tables(&reader))
    }

    package static func write(_ contents: StoreContents) throws(StoreError) -> Data {
        var writer = begun(contents.metadata)
        BinaryStoreWriter(contents.tables).write(to: &writer)
        return finished(writer)
    }

    package static func replacing(_ metadata: StoredMetadata, in file: Data) throws(StoreError) -> Data {
        var reader = try opened(file)
        _ = try Self.metadata(&reader)
        guard reader.remaining >= checksumSize else { throw corrupt("it ends too soon") }
        var writer = begun(metadata)
        writer.bytes += file.suffix(reader.remaining).dropLast(checksumSize)
        return finished(writer)
    }

    private static func begun(_ metadata: StoredMetadata) -> ByteWriter {
        var writer = ByteWriter()
        writer.bytes += signature
        writer.number(version)
        writer.text(metadata.uuid)
        writer.data(metadata.plist)
        return writer
    }

    private static func finished(_ writer: ByteWriter) -> Data {
        var writer = writer
        writer.fixed(checksum(writer.bytes))
        return writer.bytes
    }

    /// Returns an altered file with a new checksum.
    package static func sealed(_ file: Data) -> Data {
        var writer = ByteWriter()
        writer.bytes = file.dropLast(checksumSize)
        return finished(writer)
    }

    private static func opened(_ file: Data) throws(StoreError) -> ByteReader {
        guard canRead(file) else { throw corrupt("it does not begin like one") }
        var reader = ByteReader(file.dropFirst(signature.count), complaint: complaint)
        let version = try reader.number()
        guard version == Self.version else {
            throw StoreError(
                .unsupported, "the binary store has version \(version) of the format; known is 1")
        }
        return reader
    }

    private static func metadata(_ reader: inout ByteReader) throws(StoreError) -> StoredMetadata {
        StoredMetadata(uuid: try reader.text(), plist: try reader.data())
    }

    private static let complaint = "the file is no binary store"

    private static func corrupt(_ reason: String) -> StoreError {
        StoreError(.corrupt, "\(complaint): \(reason)")
    }

    /// Returns the FNV-1a hash of the bytes.
    private static func checksum(_ data: Data) -> UInt64 {
        data.withUnsafeBytes { bytes in
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01b3 }
            return hash
        }
    }
}
