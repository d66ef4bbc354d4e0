import CoreDataJSON
import CoreDataStudioInterface

/// One thing that a page does to an object. Objects go by their names: `Book/p12`, or `Book/new1` before a save.
enum StoreEdit: Sendable, Hashable {
    /// Sets an attribute or a to-one relationship.
    case set(object: String, key: String, JSONValue)
    case insert(object: String, values: [JSONValue.Member])
    case delete(object: String)
    /// Adds a member to a to-many relationship, at a position if it is ordered.
    case link(object: String, key: String, member: String, position: Int?)
    case unlink(object: String, key: String, member: String)

    /// Reads an edit that a page sent.
    ///
    /// - Parameter newName: Makes the name of a new object of an entity.
    init(_ json: JSONValue, newName: (String) throws -> String) throws {
        func text(_ key: String) throws -> String {
            guard let text = json[key]?.string else {
                throw StoreFailures.malformed("an edit lacks its \"\(key)\"")
            }
            return text
        }
        switch try text("kind") {
        case "set": self = .set(object: try text("object"), key: try text("key"), json["value"] ?? .null)
        case "insert":
            guard case .object(let values) = json["values"] ?? .object([]) else {
                throw StoreFailures.malformed("the values of a new object are no JSON object")
            }
            self = .insert(object: try newName(text("entity")), values: values)
        case "delete": self = .delete(object: try text("object"))
        case "link":
            self = .link(
                object: try text("object"), key: try text("key"), member: try text("member"),
                position: json["position"]?.integer)
        case "unlink":
            self = .unlink(object: try text("object"), key: try text("key"), member: try text("member"))
        case let kind: throw StoreFailures.malformed("there is no edit \"\(kind)\"")
        }
    }

    var object: String {
        switch self {
        case .set(let object, _, _), .insert(let object, _), .delete(let object), .link(let object, _, _, _),
            .unlink(let object, _, _):
            object
        }
    }

    /// Whether it sets one value.
    var isValue: Bool { if case .set = self { true } else { false } }

    /// The names of the objects that the edit needs.
    var mentioned: [String] {
        switch self {
        case .set(let object, _, let value): [object] + ((value["id"] ?? value).string.map { [$0] } ?? [])
        case .link(let object, _, let member, _), .unlink(let object, _, let member): [object, member]
        case .insert(_, let values): values.compactMap { ($0.value["id"] ?? $0.value).string }
        case .delete(let object): [object]
        }
    }

    /// The title of a step of this edit alone.
    var title: String {
        switch self {
        case .set(_, let key, _): "Set \(key)"
        case .insert(let object, _): "New \(object.prefix { $0 != "/" })"
        case .delete(let object): "Delete \(object)"
        case .link(_, let key, let member, _): "Add \(member) to \(key)"
        case .unlink(_, let key, let member): "Remove \(member) from \(key)"
        }
    }
}

/// What is undone and done again as one.
struct EditStep: Sendable {
    let title: String
    var edits: [StoreEdit]
    /// The edits that take this step back, once it was carried out.
    var inverse: [StoreEdit] = []
    /// The saved step that this one takes back.
    var undone: [EditStep] = []
}

/// A property of an object, as the key of what is known about it.
struct EditedValue: Sendable, Hashable {
    let object: String
    let key: String
}
