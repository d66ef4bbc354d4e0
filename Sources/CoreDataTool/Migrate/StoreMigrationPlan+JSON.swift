import CoreData
import CoreDataJSON

extension StoreMigrationPlan {
    /// Returns the plan as JSON.
    ///
    /// - Parameter includesStatements: Whether to include the SQL.
    func json(includesStatements: Bool) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("from", source.json), .init("to", destination.json), .init("method", .string(method.name)),
        ]
        if case .copying(let reason) = method { members.append(.init("reason", .string(reason))) }
        members += [
            .init("objects", .integer(Int64(objectCount))),
            .init("estimatedRows", .integer(Int64(estimatedRowCount))),
            .init("entities", .array(entities.map(\.json))),
            .init("obstacles", .array(obstacles.map(\.json))),
            .init("violations", .array(violations.map(\.json))),
        ]
        if includesStatements { members.append(.init("statements", .array(statements.map(\.json)))) }
        return .object(members)
    }
}

extension StoreMigrationPlan.Version {
    fileprivate var json: JSONValue {
        .object([
            .init("identifiers", .array(identifiers.map { .string($0) })),
            .init("checksum", .string(checksum)),
        ])
    }
}

extension StoreMigrationPlan.Method {
    fileprivate var name: String {
        switch self {
        case .notNeeded: "none needed"
        case .inPlace: "in place"
        case .copying: "copying"
        case .impossible: "impossible"
        }
    }
}

extension StoreMigrationPlan.Entity {
    fileprivate var json: JSONValue {
        let (name, former): (String, String?) =
            switch change {
            case .kept: ("kept", nil)
            case .changed: ("changed", nil)
            case .renamed(let former): ("renamed", former)
            case .added: ("added", nil)
            case .removed: ("removed", nil)
            }
        var members: [JSONValue.Member] = [
            .init("entity", .string(self.name)), .init("change", .string(name)),
        ]
        if let former { members.append(.init("was", .string(former))) }
        members += [
            .init("objects", .integer(Int64(objectCount))),
            .init("properties", .array(properties.map(\.json))),
        ]
        return .object(members)
    }
}

extension StoreMigrationPlan.Property {
    fileprivate var json: JSONValue {
        let (name, more): (String, [JSONValue.Member]) =
            switch change {
            case .added: ("added", [])
            case .removed: ("removed", [])
            case .renamed(let former): ("renamed", [.init("was", .string(former))])
            case .converted(let old, let new):
                ("converted", [.init("from", .string(old)), .init("to", .string(new))])
            case .became(let text): ("changed", [.init("became", .string(text))])
            }
        return .object(
            [
                .init("property", .string(self.name)),
                .init("kind", .string(isRelationship ? "relationship" : "attribute")),
                .init("change", .string(name)),
            ] + more)
    }
}

extension StoreMigrationPlan.Obstacle {
    fileprivate var json: JSONValue {
        .object([
            .init("entity", .string(entity)), .init("property", property.map { .string($0) } ?? .null),
            .init("reason", .string(reason)),
        ])
    }
}

extension StoreMigrationPlan.Violation {
    fileprivate var json: JSONValue {
        .object([
            .init("entity", .string(entity)), .init("property", property.map { .string($0) } ?? .null),
            .init("reason", .string(reason)), .init("objects", .integer(Int64(objectCount))),
        ])
    }
}

extension StoreMigrationPlan.Statement {
    fileprivate var json: JSONValue {
        .object([
            .init("title", .string(title)), .init("sql", .string(sql)),
            .init("values", .array(values.map { .string($0) })),
            .init("estimatedRows", .integer(Int64(estimatedRowCount))),
        ])
    }
}
