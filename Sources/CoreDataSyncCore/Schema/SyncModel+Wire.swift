import CoreDataValues

extension SyncModel {
    package var wire: WireValue { .object(["entities": .array(entities.map(\.wire))]) }

    package init(wire: WireValue) throws(WireError) {
        entities = try wire["entities"].list { value throws(WireError) in try Entity(wire: value) }
    }
}

extension SyncModel.Entity {
    var wire: WireValue {
        .object([
            "name": .text(name), "parent": .optional(parent) { .text($0) },
            "properties": .array(properties.map(\.wire)),
            "unique": .array(unique.map { .array($0.map { .text($0) }) }), "info": .texts(userInfo),
        ])
    }

    init(wire: WireValue) throws(WireError) {
        name = try wire["name"].text()
        parent = try wire["parent"].optional { value throws(WireError) in try value.text() }
        properties = try wire["properties"].list { value throws(WireError) in
            try SyncModel.Property(wire: value)
        }
        unique = try wire["unique"].list { value throws(WireError) in
            try value.list { name throws(WireError) in try name.text() }
        }
        userInfo = try wire["info"].texts()
    }
}

extension SyncModel.Property {
    var wire: WireValue {
        var members: [String: WireValue] = [
            "name": .text(name), "optional": .boolean(isOptional), "info": .texts(userInfo),
        ]
        switch kind {
        case .attribute(let type, let value):
            members["type"] = .count(type.rawValue)
            members["default"] = value.wire
        case .relationship(let relationship): members["relationship"] = relationship.wire
        }
        return .object(members)
    }

    init(wire: WireValue) throws(WireError) {
        name = try wire["name"].text()
        isOptional = try wire["optional"].boolean()
        userInfo = try wire["info"].texts()
        if wire["relationship"] != .null {
            kind = .relationship(try SyncModel.Relationship(wire: wire["relationship"]))
        } else {
            guard let number = Int(exactly: try wire["type"].integer()),
                let type = AttributeType(rawValue: number)
            else { throw WireError("an unknown type of \(name.prefix(80))") }
            kind = .attribute(type, default: try SyncValue(wire: wire["default"]))
        }
    }
}

extension SyncModel.Relationship {
    var wire: WireValue {
        .object([
            "target": .text(target), "inverse": .optional(inverse) { .text($0) },
            "many": .boolean(isToMany), "ordered": .boolean(isOrdered), "minimum": .count(minimum),
            "maximum": .count(maximum), "delete": .text(deleteRule.rawValue),
        ])
    }

    init(wire: WireValue) throws(WireError) {
        target = try wire["target"].text()
        inverse = try wire["inverse"].optional { value throws(WireError) in try value.text() }
        isToMany = try wire["many"].boolean()
        isOrdered = try wire["ordered"].boolean()
        minimum = Int(clamping: try wire["minimum"].count())
        maximum = Int(clamping: try wire["maximum"].count())
        guard let rule = SyncModel.DeleteRule(rawValue: try wire["delete"].text()) else {
            throw WireError("an unknown delete rule of a relationship to \(target.prefix(80))")
        }
        deleteRule = rule
    }
}

extension WireValue {
    static func texts(_ texts: [String: String]) -> WireValue { .object(texts.mapValues { .text($0) }) }

    func texts() throws(WireError) -> [String: String] {
        var result: [String: String] = [:]
        for member in try map() { result[member.key] = try member.value.text() }
        return result
    }
}
