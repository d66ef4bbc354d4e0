package import CoreDataJSON
package import CoreDataSyncCore

extension ServerSettings {
    /// Reads the policy alone of a file with settings, for which no other setting is needed.
    package static func policies(in json: JSONValue?) throws(ConfigurationError) -> [Role: ChangePolicy] {
        var reader = try ConfigurationReader(json ?? .object([]), at: "")
        guard let policy = try reader.object("policy") else { return [:] }
        return try policies(policy)
    }

    /// Reads what the roles may do to single entities: `{"Loan": {"writer": ["insert", "update"]}}`. A role that is
    /// not named may do all.
    static func policies(
        _ reader: ConfigurationReader
    ) throws(ConfigurationError) -> [Role: ChangePolicy] {
        var policies: [Role: ChangePolicy] = [:]
        for (entity, value) in reader.rest {
            let path = reader.path(of: entity)
            for (name, list) in try ConfigurationReader(value, at: path).rest {
                guard let role = Role(rawValue: name), role > .reader else {
                    throw ConfigurationError("\(path).\(name)", "writer or owner is expected")
                }
                policies[role, default: ChangePolicy()].allowed[entity] = try operations(
                    list, at: "\(path).\(name)")
            }
        }
        return policies
    }

    private static func operations(
        _ value: JSONValue, at path: String
    ) throws(ConfigurationError) -> Set<ChangePolicy.Operation> {
        let expected = "a list of insert, update and delete is expected"
        guard case .array(let elements) = value else { throw ConfigurationError(path, expected) }
        var operations: Set<ChangePolicy.Operation> = []
        for element in elements {
            guard let operation = element.string.flatMap(ChangePolicy.Operation.init(rawValue:)) else {
                throw ConfigurationError(path, expected)
            }
            operations.insert(operation)
        }
        return operations
    }
}
