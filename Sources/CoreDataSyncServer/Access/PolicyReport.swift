package import CoreDataSQL
package import CoreDataSyncCore
import Foundation

/// What a user may do in a zone, by the roles of the database and the policy of the settings.
package struct PolicyReport: Sendable {
    package typealias Operations = Set<ChangePolicy.Operation>

    /// Nil for a user who may not enter.
    package let role: Role?
    /// What the user may do to the objects of each entity of the model, by their names in order.
    package let operations: [(entity: String, allowed: Operations)]
    /// Entities that the policy names and the model does not have, so that what it says of them counts for nothing.
    package let unknown: [String]

    /// Finds out what a user may do.
    ///
    /// - Parameter role: The role that the user's token gives; nil for a token that names no zones.
    /// - Throws: `ServiceError` if there is no such zone, or no model yet.
    package init(
        of user: String, in zone: ZoneName, role: Role?, _ policies: [Role: ChangePolicy],
        on connection: any SQLConnection
    ) throws {
        let directory = ZoneDirectory(connection)
        guard let number = try directory.number(of: zone) else {
            throw ServiceError.missing("there is no zone \(zone)")
        }
        guard let schema = try ServerFacts(connection).model() else {
            throw ServiceError.model("no device has said hello yet")
        }
        let own = Caller(user: user).role(
            in: zone, membership: try directory.membership(of: user, in: number))
        let known = role ?? own
        self.role = known
        operations = schema.entities.keys.sorted().map { entity in
            guard let known, known > .reader else { return (entity, []) }
            return (entity, policies[known]?.allowed[entity] ?? Operations(ChangePolicy.Operation.allCases))
        }
        // A misspelled entity would let everybody do everything, without a word.
        unknown = Set(policies.values.flatMap(\.allowed.keys)).subtracting(schema.entities.keys).sorted()
    }
}

extension PolicyReport {
    /// The report as lines of a table.
    package var lines: [String] {
        let width = operations.map(\.entity.count).max() ?? 0
        return operations.map { entity, allowed in
            let names = ChangePolicy.Operation.allCases.filter(allowed.contains).map(\.rawValue)
            let text = names.isEmpty ? "nothing" : names.joined(separator: ", ")
            return entity.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + text
        }
    }
}
