import CoreDataModelFormat

/// The XML attributes that all elements of a kind have, unless one of them says otherwise: the editor writes
/// some on every element, which the text form then says once.
struct CommonFields {
    var entity: [String: String] = [:]
    var attribute: [String: String] = [:]
    var relationship: [String: String] = [:]
    var fetched: [String: String] = [:]

    init() {}

    /// Finds the attributes that most elements of each kind have.
    init(of document: ModelDocument) {
        let entities = document.entities
        entity = Self.usual(entities.map(\.editorAttributes))
        attribute = Self.usual(
            entities.flatMap { $0.attributes.map(\.editorAttributes) }
                + document.composites.flatMap { $0.attributes.map(\.editorAttributes) })
        relationship = Self.usual(entities.flatMap { $0.relationships.map(\.editorAttributes) })
        fetched = Self.usual(entities.flatMap { $0.fetchedProperties.map(\.editorAttributes) })
    }

    /// Returns the entries that more than half of the elements have, at least two.
    private static func usual(_ elements: [[String: String]]) -> [String: String] {
        struct Entry: Hashable {
            let key: String
            let value: String
        }
        var counts: [Entry: Int] = [:]
        for (key, value) in elements.joined() { counts[Entry(key: key, value: value), default: 0] += 1 }
        let usual = counts.filter { $0.value > 1 && $0.value * 2 > elements.count }.keys
        return Dictionary(uniqueKeysWithValues: usual.map { ($0.key, $0.value) })
    }

    mutating func read(_ line: inout TextLine) throws {
        let kind = try line.word(of: ["entity", "attribute", "relationship", "fetched"])
        var fields: [String: String] = [:]
        guard try line.takeFields(into: &fields) else { throw line.expected("[") }
        switch kind {
        case "entity": entity = fields
        case "attribute": attribute = fields
        case "relationship": relationship = fields
        default: fetched = fields
        }
        try line.requireEnd("nothing after ]")
    }

    var lines: [String] {
        [("entity", entity), ("attribute", attribute), ("relationship", relationship), ("fetched", fetched)]
            .compactMap { kind, fields in
                Self.text(fields, besides: [:]).map { "every \(kind) \($0)" }
            }
    }

    /// Returns the part of a line that gives an element its XML attributes; nil if it has the common ones.
    static func text(_ fields: [String: String], besides common: [String: String]) -> String? {
        let own = fields.filter { common[$0.key] != $0.value }.sorted { $0.key < $1.key }
        let lacking = common.keys.filter { fields[$0] == nil }.sorted()
        guard !own.isEmpty || !lacking.isEmpty else { return nil }
        let entries =
            own.map { "\(TextSpelling.name($0.key))=\(TextSpelling.text($0.value))" }
            + lacking.map { "-\(TextSpelling.name($0))" }
        return "[" + entries.joined(separator: ", ") + "]"
    }
}
