internal import CoreData
internal import CoreDataSyncCore
internal import Foundation

/// Values of transformable attributes as bytes that are equal for equal values on all devices.
///
/// What the standard transformers archive of Foundation's value classes becomes a tree. Other objects have
/// the bytes that their transformer gives them; an app's own has to give equal ones for equal values.
enum TransformableValue {
    /// What the bytes are, in the first of them.
    private enum Form: UInt8 {
        case tree = 1
        case transformed = 2
    }

    private static let limits = WireLimits(bytes: 64 << 20, depth: 200, values: 8_000_000, text: 64 << 20)

    /// - Parameter name: The name of the app's transformer; nil for the standard ones.
    static func read(_ object: Any, _ name: String?) -> SyncValue {
        if name == nil, let tree = PlainTree.tree(object) {
            return .data([Form.tree.rawValue] + CBORWriter.bytes(of: tree))
        }
        guard let transformer = transformer(name) else { return .null }
        let data =
            isReversed(transformer)
            ? transformer.reverseTransformedValue(object) : transformer.transformedValue(object)
        guard let data = data as? Data else { return .null }
        return .data([Form.transformed.rawValue] + stable(data))
    }

    /// Returns the object; nil for bytes that cannot be read.
    static func object(_ bytes: [UInt8], _ name: String?) -> Any? {
        let rest = Array(bytes.dropFirst())
        switch bytes.first.flatMap(Form.init) {
        case .tree: return (try? CBORReader.read(rest, limits: limits)).flatMap { PlainTree.object($0) }
        case .transformed:
            guard let transformer = transformer(name) else { return nil }
            return isReversed(transformer)
                ? transformer.transformedValue(Data(rest)) : transformer.reverseTransformedValue(Data(rest))
        case nil: return nil
        }
    }

    private static func transformer(_ name: String?) -> ValueTransformer? {
        let standard = NSValueTransformerName.secureUnarchiveFromDataTransformerName
        return ValueTransformer(forName: name.map { NSValueTransformerName($0) } ?? standard)
    }

    /// Whether a transformer makes objects of data, where others make data of objects.
    private static func isReversed(_ transformer: ValueTransformer) -> Bool {
        transformer is NSSecureUnarchiveFromDataTransformer
    }

    /// Returns an archive with its dictionaries in the order of their keys, as XML has them; other data as it
    /// is.
    private static func stable(_ data: Data) -> Data {
        guard data.starts(with: Array("bplist00".utf8)),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let members = list as? [String: Any], members["$archiver"] != nil
        else { return data }
        return (try? PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)) ?? data
    }
}
