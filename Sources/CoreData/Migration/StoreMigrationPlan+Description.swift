extension StoreMigrationPlan: CustomStringConvertible {
    /// The versions, the way of migrating, and the change of each entity, as text; `script` has the
    /// statements.
    public var description: String {
        var lines = ["from \(source)", "to   \(destination)", method.text]
        lines += obstacles.map { "! \($0)" } + violations.map { "! \($0)" }
        if method == .notNeeded { return lines.joined(separator: "\n") }
        for entity in entities {
            lines.append(entity.description)
            lines += entity.properties.map { "    \($0)" }
        }
        if method == .inPlace {
            lines.append(
                "\(Self.count(statements.count, "statement")), at most \(Self.count(estimatedRowCount, "row")) written"
            )
        }
        return lines.joined(separator: "\n")
    }

    /// The statements as SQL, each below a comment that says what it is for, with the values of its
    /// placeholders.
    public var script: String {
        var lines: [String] = []
        var title: String?
        for statement in statements {
            if statement.title != title {
                if title != nil { lines.append("") }
                lines.append("-- \(statement.title)")
                title = statement.title
            }
            let values = statement.values.isEmpty ? "" : " -- \(statement.values.joined(separator: ", "))"
            lines.append("\(statement.sql);\(values)")
        }
        return lines.joined(separator: "\n")
    }

    fileprivate static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }
}

extension StoreMigrationPlan.Version: CustomStringConvertible {
    /// The identifiers and the checksum, as text.
    public var description: String {
        let names = identifiers.filter { !$0.isEmpty }.joined(separator: ", ")
        return names.isEmpty ? "version \(checksum)" : "version \"\(names)\" (\(checksum))"
    }
}

extension StoreMigrationPlan.Method {
    fileprivate var text: String {
        switch self {
        case .notNeeded: "the store is of this version already"
        case .inPlace: "in place, in one transaction"
        case .copying(let reason): "by copying every object: \(reason)"
        case .impossible: "no mapping can be inferred"
        }
    }
}

extension StoreMigrationPlan.Obstacle: CustomStringConvertible {
    /// Entity, property and reason, as text.
    public var description: String {
        "\(entity)\(property.map { ".\($0)" } ?? ""): \(reason)"
    }
}

extension StoreMigrationPlan.Violation: CustomStringConvertible {
    /// Entity, property, reason and count of objects, as text.
    public var description: String {
        "\(entity)\(property.map { ".\($0)" } ?? ""): \(reason), \(StoreMigrationPlan.count(objectCount, "object"))"
    }
}

extension StoreMigrationPlan.Entity: CustomStringConvertible {
    /// A sign for the change, the name, the change and the count of objects, as text.
    public var description: String {
        let (sign, text) =
            switch change {
            case .kept: (" ", "kept")
            case .changed: ("~", "changed")
            case .renamed(let former): (">", "was \(former)")
            case .added: ("+", "added")
            case .removed: ("-", "removed")
            }
        let objects = change == .added ? "" : ", \(StoreMigrationPlan.count(objectCount, "object"))"
        return "\(sign) \(name): \(text)\(objects)"
    }
}

extension StoreMigrationPlan.Property: CustomStringConvertible {
    /// A sign for the change, the kind, the name and the change, as text.
    public var description: String {
        let kind = isRelationship ? "relationship" : "attribute"
        return switch change {
        case .added: "+ \(kind) \(name)"
        case .removed: "- \(kind) \(name)"
        case .renamed(let former): "> \(kind) \(name), was \(former)"
        case .converted(let old, let new): "~ \(kind) \(name): \(old) -> \(new)"
        case .became(let text): "~ \(kind) \(name): \(text)"
        }
    }
}
