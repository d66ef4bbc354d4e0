import CoreDataSync
import CoreDataSyncCore
import Foundation

/// What disturbs devices and the server besides lost messages and the ends of processes.
extension Simulation {
    func disturb(_ node: Node) async throws {
        switch random.below(7) {
        case 0, 1: setClock(of: node)
        case 2: node.device.namesTooMuch.toggle()
        case 3: try await setFull(!node.device.isFull, node)
        case 4 where nodes.count < 5: try await clone(node)
        case 5: try forget()
        default: try replaceServer()
        }
    }

    /// Ends all disturbances that last.
    func heal() async throws {
        for node in nodes {
            node.isOffline = false
            node.device.clockOffset = 0
            node.device.namesTooMuch = false
            if node.device.isFull { try node.device.setFull(false) }
            try await restart(node)
        }
    }

    /// Sets a clock seconds or years off, or right.
    private func setClock(of node: Node) {
        switch random.below(3) {
        case 0: node.device.clockOffset = Int64(random.below(20_000)) - 10_000
        case 1: node.device.clockOffset = (Int64(random.below(800)) - 400) * 86_400_000
        default: node.device.clockOffset = 0
        }
    }

    /// Has the disk of a store take nothing any more, or something again.
    private func setFull(_ isFull: Bool, _ node: Node) async throws {
        try node.device.setFull(isFull)
        try await restart(node)
    }

    /// Sets a device up from the backup of another one.
    private func clone(_ node: Node) async throws {
        let number = nodes.count
        let copy = try node.device.makeCopy(seed: random.next())
        nodes.append(Node(copy, SimApp(prefix: "c\(number)-")))
        try await restart(node)
        try await restart(nodes[number])
    }

    /// Has the server forget old deletions and what lost, of which devices were told.
    private func forget() throws {
        let before = server.storage
        announce(before.log.map(\.lost.value))
        let end = server.wall - min(server.now, 5000)
        try server.server.forget(&server.storage, changedBefore: end)
        for (key, row) in before.rows where server.storage.rows[key] == nil { announce(row.state) }
    }

    /// Takes a backup of the server, or replaces the server by one.
    private func replaceServer() throws {
        guard var restored = backup else {
            backup = server.storage
            return
        }
        backup = nil
        announce(server.storage.log.map(\.lost.value))
        for row in server.storage.rows.values where !row.state.isAlive { announce(row.state) }
        server.server.beginEpoch(&restored, after: server.storage.header.epoch)
        server.storage = restored
    }

    private func announce(_ state: ItemState) { announce(state.registers.values.map(\.value)) }

    private func announce(_ values: [SyncValue]) {
        for value in values { if case .string(let text) = value { announced.insert(text) } }
    }
}
