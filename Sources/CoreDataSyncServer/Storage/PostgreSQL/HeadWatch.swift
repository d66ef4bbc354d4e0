#if PostgreSQL
import CoreDataLibpq
import CoreDataSQL
import CoreDataSyncCore
import Foundation

/// The look at where the zones stand that somebody listens to: for pushes of other processes, and of this one,
/// which the hub knows already.
///
/// A process that has pushed notifies the others, which then look at once. They also look now and then, since a
/// process may die before it notifies, and a pooler may take notifications away.
struct HeadWatch: Sendable {
    let pokes: PokeHub

    /// The time between two looks.
    private static let interval = Duration.milliseconds(250)
    /// The time for which pushes wait for each other to be notified as one. A transaction that notifies waits for
    /// every other one of the server to commit, so a push does not do it itself.
    private static let delay = Duration.milliseconds(10)

    func listening(on schema: String) -> Listening {
        Listening(
            channel: SQLIdentifier("syncd_\(schema.lowercased())"), every: Self.interval,
            gathering: Self.delay,
            poll: { connection throws(PostgreSQLError) in
                try look(connection)
                return false
            }, handler: { _ in })
    }

    private func look(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
        let zones = pokes.zones
        guard !zones.isEmpty else { return }
        var owners = ParameterList()
        owners.append(array: Set(zones.map(\.owner)).sorted())
        try connection.forEachRow(of: Self.heads, owners) { row throws(PostgreSQLError) in
            guard let owner: String = row.value(0), let name: String = row.value(1),
                let zone = ZoneName(owner: owner, name: name), zones.contains(zone),
                let bytes: Data = row.value(2),
                let header = try? ZoneHeader(wire: SQLValue.blob(bytes).tree())
            else { return }
            pokes.announce(Poke(zone: zone, epoch: header.epoch, sequence: header.sequence))
        }
    }

    private static let heads: SQLText = "SELECT owner, name, header FROM zone WHERE owner = ANY(?)"
}
#endif
