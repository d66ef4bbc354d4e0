import CoreDataJSON
import CoreDataModelFormat
import CoreDataTool
import Foundation

/// The graph that the lines of an export describe, independent of its objects' keys.
enum ExportGraph {
    /// Names of objects become their entity and place in the export, and members without an order are sorted.
    static func canonical(
        _ lines: [String], of model: ModelDocument = LibraryModel.document
    ) throws -> [JSONValue] {
        let objects = try lines.dropFirst().map { try JSONParser.parse($0) }
        var names: [String: String] = [:]
        for (index, object) in objects.enumerated() {
            let id = object["id"]?.string ?? ""
            names[id] = "\(id.prefix { $0 != "/" }) \(index)"
        }
        let ordered = Set(model.entities.flatMap(\.relationships).filter(\.isOrdered).map(\.name))
        func renamed(_ member: JSONValue.Member) -> JSONValue.Member {
            switch member.value {
            case .string(let id): return JSONValue.Member(member.key, .string(names[id] ?? "?"))
            case .array(let ids):
                let members = ids.map { names[$0.string ?? ""] ?? "?" }
                let listed = ordered.contains(member.key) ? members : members.sorted()
                return JSONValue.Member(member.key, .array(listed.map { .string($0) }))
            default: return member
            }
        }
        return objects.map { object in
            guard case .object(let links)? = object["relationships"] else {
                return .array([object["attributes"] ?? .null])
            }
            return .array([object["attributes"] ?? .null, .object(links.map(renamed))])
        }
    }
}
