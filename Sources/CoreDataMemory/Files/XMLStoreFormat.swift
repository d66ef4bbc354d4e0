package import CoreDataModelFormat
package import CoreDataStore
package import Foundation

/// The format of Apple's XML stores (xml-store §1).
package enum XMLStoreFormat: StoreFileFormat {
    /// The version number, which is the same in every known file.
    static let version = "134481920"
    /// The key before that of the first object.
    package static let keyBase: Int64 = 101

    package static func canRead(_ start: Data) -> Bool {
        let text = String(decoding: start, as: UTF8.self)
        return text.hasPrefix("<?xml") && text.contains("<!DOCTYPE database") || text.hasPrefix("<database")
    }

    /// Returns everything before the first object.
    private static func head(of file: Data) -> Data {
        file.range(of: Data("<object".utf8)).map { file[..<$0.lowerBound] } ?? file
    }

    /// Reads the metadata. Files that other programs write may have neither UUID nor metadata.
    package static func metadata(of file: Data) throws(StoreError) -> StoredMetadata {
        guard canRead(file.prefix(512)) else { throw corrupt("it does not begin like one") }
        let head = head(of: file)
        let uuid = text(between: "<UUID>", "</UUID>", in: head).map { String(decoding: $0, as: UTF8.self) }
        let empty = Data("<dict></dict>".utf8)
        let dictionary = text(between: "<plist version=\"1.0\">", "</plist>", in: head) ?? empty
        let plist = Data("<plist version=\"1.0\">".utf8) + dictionary + Data("</plist>".utf8)
        guard
            let values = try? ForeignPropertyList.object(plist) as? [String: Any],
            let stored = try? PropertyListSerialization.data(
                fromPropertyList: values, format: .binary, options: 0)
        else { throw corrupt("its metadata is no property list") }
        return StoredMetadata(uuid: uuid ?? UUID().uuidString, plist: stored)
    }

    private static func text(between start: String, _ end: String, in data: Data) -> Data? {
        guard let first = data.range(of: Data(start.utf8)),
            let last = data.range(of: Data(end.utf8), in: first.upperBound..<data.endIndex)
        else { return nil }
        return data.subdata(in: first.upperBound..<last.lowerBound)
    }

    package static func replacing(_ metadata: StoredMetadata, in file: Data) throws(StoreError) -> Data {
        let head = head(of: file)
        guard let start = head.range(of: Data("<metadata>".utf8)),
            let end = head.range(of: Data("</metadata>".utf8), in: start.upperBound..<head.endIndex)
        else { throw corrupt("it has no metadata") }
        let element = try XMLStoreWriter.element(of: metadata)
        return file[..<start.lowerBound] + Data(element.utf8) + file[end.upperBound...]
    }

    static func corrupt(_ reason: String) -> StoreError {
        StoreError(.corrupt, "the file is no XML store: \(reason)")
    }

    package static func read(
        _ file: Data, _ model: CompiledModel, _ layouts: RowLayouts
    ) throws(StoreError) -> StoreContents {
        let metadata = try metadata(of: file)
        let objects = try XMLStoreParser.objects(in: file)
        var tables = try XMLStoreReader(model, layouts).tables(of: objects)
        let last = text(between: "<nextObjectID>", "</nextObjectID>", in: head(of: file))
        tables.noteKey(last.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? keyBase)
        return StoreContents(metadata: metadata, tables: tables)
    }

    package static func write(_ contents: StoreContents) throws(StoreError) -> Data {
        try XMLStoreWriter().file(contents)
    }
}
