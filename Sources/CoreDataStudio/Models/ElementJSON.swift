import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat

/// The elements of a version as the page gets them: each with its ID, the IDs of its members, and the settings
/// that differ from those of a new element.
struct ElementJSON {
    /// An element without those in it.
    private struct Entry: Hashable {
        let element: ModelElement
        let id: ElementID
        let owner: ElementID?
        let path: String
        let members: [[ElementID]]

        init(_ element: ModelElement, _ node: ElementNode, owner: ElementID?, path: String) {
            self.element = element.withoutMembers
            self.id = node.id
            self.owner = owner
            self.path = path
            members = element.kind.members.map { node.members[$0, default: []].map(\.id) }
        }
    }

    /// The elements, the model first, each before its members.
    private let entries: [Entry]
    /// The IDs of elements by path, the first of each.
    let ids: [String: ElementID]

    init(_ version: EditedVersion) {
        let model = ModelElement.model(version.document)
        let root = version.root
        var entries = [Entry(model, root, owner: nil, path: "")]
        for kind in ElementKind.model.members {
            for (element, node) in zip(model.members(kind), root.members[kind] ?? []) {
                let path = Self.path(of: element)
                entries.append(Entry(element, node, owner: root.id, path: path))
                for inner in kind.members {
                    entries += zip(element.members(inner), node.members[inner] ?? []).map { member, leaf in
                        let name = inner == .index ? "index:\(member.name)" : member.name
                        return Entry(member, leaf, owner: node.id, path: "\(path).\(name)")
                    }
                }
            }
        }
        self.entries = entries
        ids = Dictionary(entries.map { ($0.path, $0.id) }) { first, _ in first }
    }

    private static func path(of element: ModelElement) -> String {
        switch element.kind {
        case .fetchRequest: ElementPath.fetchRequest(element.name)
        case .configuration: ElementPath.configuration(element.name)
        case .composite: ElementPath.composite(element.name)
        default: element.name
        }
    }

    /// All elements.
    var all: JSONValue { .array(entries.map(Self.json)) }

    /// Returns the elements that are new or differ from those of a former state, and the IDs of those that
    /// are gone.
    func changes(since former: ElementJSON) -> [JSONValue.Member] {
        let known = Dictionary(former.entries.map { ($0.id, $0) }) { first, _ in first }
        let changed = entries.filter { known[$0.id] != $0 }
        let present = Set(entries.map(\.id))
        let gone = former.entries.map(\.id).filter { !present.contains($0) }
        return [
            .init("elements", .array(changed.map(Self.json))), .init("removed", .array(gone.map(\.json))),
        ]
    }

    private static func json(_ entry: Entry) -> JSONValue {
        let (element, kind) = (entry.element, entry.element.kind)
        let facets = kind.facets.compactMap { facet -> JSONValue.Member? in
            guard let value = element.value(of: facet.name), value != blanks[kind]?[facet.name] else {
                return nil
            }
            return JSONValue.Member(facet.name, value)
        }
        var members: [JSONValue.Member] = [
            .init("id", entry.id.json), .init("kind", .string(kind.rawValue)),
            .init("name", .string(element.name)), .init("path", .string(entry.path)),
            .init("owner", entry.owner?.json ?? .null), .init("facets", .object(facets)),
        ]
        if !kind.members.isEmpty {
            let lists = zip(kind.members, entry.members).map { kind, ids in
                JSONValue.Member(kind.rawValue, .array(ids.map(\.json)))
            }
            members.append(.init("members", .object(lists)))
        }
        return .object(members)
    }

    /// The values of the settings of a new element, by kind.
    private static let blanks: [ElementKind: [String: JSONValue]] = Dictionary(
        uniqueKeysWithValues: ElementKind.allCases.map { kind in
            let blank = ModelElement.blank(kind, "")
            let values = kind.facets.compactMap { facet in
                blank.value(of: facet.name).map { (facet.name, $0) }
            }
            return (kind, Dictionary(values) { first, _ in first })
        })

    /// The settings by kind of element, from which the page builds its inspectors.
    static let facets = JSONValue.object(
        ElementKind.allCases.map { kind in
            .init(
                kind.rawValue, .array(kind.facets.map { json($0, blanks[kind]?[$0.name] ?? .null, of: kind) })
            )
        })

    private static func json(_ facet: FacetOutline, _ blank: JSONValue, of kind: ElementKind) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("name", .string(facet.name)), .init("title", .string(facet.title)),
            .init("type", .string(facet.type.name)), .init("default", blank),
        ]
        if case .choice(let words) = facet.type {
            members.append(.init("choices", .array(words.map { .string($0) })))
        }
        if kind == .attribute, let types = AttributeFacetTypes.types(of: facet.name) {
            members.append(.init("types", .array(types.map { .string($0) })))
        }
        return .object(members)
    }
}

extension ElementID {
    var json: JSONValue { .integer(Int64(number)) }
}

extension FacetType {
    /// The name of the type for the page.
    fileprivate var name: String {
        switch self {
        case .flag: "flag"
        case .number: "number"
        case .text: "text"
        case .choice: "choice"
        case .value: "value"
        case .names: "names"
        case .lists: "lists"
        case .entries: "entries"
        case .indexElements: "indexElements"
        }
    }
}

extension ModelElement {
    /// The element without those in it.
    fileprivate var withoutMembers: ModelElement {
        switch self {
        case .model(var model):
            (model.entities, model.fetchRequests, model.configurations) = ([], [], [])
            (model.composites, model.layout) = ([], [])
            return .model(model)
        case .entity(var entity):
            (entity.attributes, entity.relationships) = ([], [])
            (entity.fetchedProperties, entity.fetchIndexes) = ([], [])
            return .entity(entity)
        case .composite(var composite):
            composite.attributes = []
            return .composite(composite)
        default: return self
        }
    }
}
