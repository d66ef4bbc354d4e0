/// Which elements and attributes mean something in a `contents` file (xcdatamodel §2). All others are extras.
enum SourceShape {
    /// The elements that a value stands for, which keeps its extras.
    static let carriers: Set<String> = [
        "model", "entity", "attribute", "relationship", "fetchedProperty", "fetchRequest", "fetchIndex",
        "configuration", "composite",
    ]

    private static let children: [String: Set<String>] = [
        "model": ["entity", "fetchRequest", "configuration", "composite", "elements"],
        "entity": [
            "attribute", "relationship", "fetchedProperty", "fetchIndex", "compoundIndexes",
            "uniquenessConstraints", "userInfo",
        ],
        "attribute": ["userInfo"], "relationship": ["userInfo"],
        "fetchedProperty": ["fetchRequest", "userInfo"], "fetchIndex": ["fetchIndexElement"],
        "configuration": ["memberEntity"], "composite": ["attribute"], "compoundIndexes": ["compoundIndex"],
        "compoundIndex": ["index"], "uniquenessConstraints": ["uniquenessConstraint"],
        "uniquenessConstraint": ["constraint"], "userInfo": ["entry"], "elements": ["element"],
    ]

    /// The attribute without which an element says nothing.
    private static let required = [
        "memberEntity": "name", "index": "value", "constraint": "value", "entry": "key",
    ]

    /// The attributes of the elements that do not keep unknown ones among their editor attributes.
    private static let attributes: [String: Set<String>] = [
        "composite": ["name"], "memberEntity": ["name"], "index": ["value"], "constraint": ["value"],
        "entry": ["key", "value"], "compoundIndexes": [], "compoundIndex": [], "uniquenessConstraints": [],
        "uniquenessConstraint": [], "userInfo": [], "elements": [],
        "fetchIndexElement": ["property", "expression", "expressionType", "type", "order"],
    ]

    /// Whether an element means something inside another.
    static func knows(_ child: XMLTree, in parent: XMLTree) -> Bool {
        children[parent.name]?.contains(child.name) == true
            && required[child.name].map { child.attributes[$0] != nil } != false
    }

    /// Returns the names of the attributes that mean nothing and are no editor attributes, sorted.
    static func unknownAttributes(of element: XMLTree) -> [String] {
        guard let known = attributes[element.name] else { return [] }
        return element.attributes.keys.filter { !known.contains($0) }.sorted()
    }
}
