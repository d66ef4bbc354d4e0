import Foundation

@testable import CoreDataModelFormat

/// The content of a keyed archive without cycles, independent of the order of its objects: references are
/// followed, classes are named.
enum ArchiveTree {
    struct Unreadable: Error {}

    static func tree(of data: Data) throws -> PropertyList {
        let archive = try BinaryPropertyListReader.read(data)
        guard let objects = archive["$objects"]?.array, let root = archive["$top"]?["root"] else {
            throw Unreadable()
        }
        return resolved(root, objects)
    }

    private static func resolved(_ value: PropertyList, _ objects: [PropertyList]) -> PropertyList {
        switch value {
        case .uid(0): return .null
        case .uid(let index): return resolved(objects[index], objects)
        case .array(let elements): return .array(elements.map { resolved($0, objects) })
        case .dictionary(let fields):
            guard let hierarchy = fields["$classes"]?.array else {
                var tree = fields.mapValues { resolved($0, objects) }
                sortEntries(of: &tree)
                return .dictionary(tree)
            }
            // Mutable and immutable lists are equal.
            return .array(hierarchy.filter { $0 != .string("NSMutableArray") })
        default: return value
        }
    }

    /// Sorts the entries of dictionaries, which have no order.
    private static func sortEntries(of tree: inout [String: PropertyList]) {
        guard let keys = tree["NS.keys"]?.array, let values = tree["NS.objects"]?.array else { return }
        let entries = zip(keys, values).sorted { ($0.0.string ?? "") < ($1.0.string ?? "") }
        tree["NS.keys"] = .array(entries.map(\.0))
        tree["NS.objects"] = .array(entries.map(\.1))
    }
}
