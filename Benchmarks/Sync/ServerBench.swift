import CoreDataSyncCore
import CoreDataSyncServer
import CoreDataValues
import Foundation

/// A service with devices that push to it as fast as it takes their pushes.
final class ServerBench: Sendable {
    /// The changes of one push: objects of four values, each of which is a change, as is the object.
    private static let batch = 500
    private static let user = Caller(user: "bench")

    private let service: SyncService
    /// A number in the names of zones and devices, so that each process has its own.
    private let run = UInt64.random(in: 1..<1 << 40)

    init(_ place: DataPlace) async throws {
        var limits = ServiceLimits()
        (limits.zones, limits.devices) = (.max, .max)
        service = try await SyncService(try place.open(), limits: limits)
        _ = try await service.hello(HelloRequest(replica: nil, name: "", model: Self.model), by: Self.user)
    }

    private static let model = SyncModel(entities: [
        SyncModel.Entity(
            "Item",
            properties: [
                SyncModel.Property("title", .attribute(.string, default: .null)),
                SyncModel.Property("note", .attribute(.string, default: .null)),
                SyncModel.Property("count", .attribute(.integer64, default: .null)),
                SyncModel.Property("price", .attribute(.double, default: .null)),
            ])
    ])

    func close() { service.database.close() }

    private func zone(_ number: Int) -> ZoneName {
        ZoneName(owner: Self.user.user, name: "z\(run)-\(number)")!
    }

    /// Returns the epoch of a zone, which is made if it is not there.
    private func epoch(of zone: ZoneName) async throws -> UInt64 {
        try await service.heads(of: [zone], by: Self.user).first?.epoch ?? 0
    }

    private func changes(_ device: ReplicaID, _ batch: Int) -> [Change] {
        let stamp = Stamp(time: HybridTime(milliseconds: service.milliseconds), replica: device)
        let objects = batch * Self.batch / 5..<(batch + 1) * Self.batch / 5
        return objects.flatMap { number -> [Change] in
            let id = SyncID(high: device.low, low: UInt64(number))
            let edits: [Change.Edit] = [
                .existence(1, seen: 0), .set("title", .string("Title number \(number)")),
                .set("note", .string("A note on number \(number), of the usual length")),
                .set("count", .integer(Int64(number))), .set("price", .real(Double(number) / 4)),
            ]
            return edits.map {
                Change(number: UInt64(number), item: .object(id), entity: "Item", edit: $0, stamp: stamp)
            }
        }
    }

    /// Pushes one batch after the other, as one device.
    private func push(
        _ number: Int, to zone: ZoneName, while goesOn: (Int) -> Bool
    ) async throws -> Int {
        let device = ReplicaID(high: run, low: UInt64(number))
        let epoch = try await epoch(of: zone)
        var receipt: [UInt8] = []
        var batch = 0
        while goesOn(batch) {
            let request = PushRequest(
                epoch: epoch, replica: device, previous: receipt, changes: changes(device, batch))
            let response = try await service.answer(.push(request), in: zone, by: Self.user)
            guard case .push(let answer) = response.answer else {
                throw ServiceError.malformed("a push was refused: \(response.answer)")
            }
            receipt = answer.receipt
            batch += 1
        }
        return batch * Self.batch
    }

    /// Returns how many changes a second devices push to zones.
    func pushes(zones: Int, devices: Int, seconds: Double) async throws -> Double {
        let start = ContinuousClock.now
        let end = start.advanced(by: .seconds(seconds))
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for device in 0..<devices {
                group.addTask { [self] in
                    try await push(device, to: zone(device % zones)) { _ in ContinuousClock.now < end }
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(count) / (ContinuousClock.now - start).seconds
    }

    /// Fills a zone with so many objects, and returns the way to it.
    func filledZone(_ count: Int) async throws -> ServiceTransport {
        _ = try await push(0, to: zone(0)) { $0 * Self.batch / 5 < count }
        return ServiceTransport(service: service, name: zone(0), user: Self.user)
    }

    /// Returns how many objects a second come out of a zone with so many.
    func snapshot(of count: Int) async throws -> Double {
        let zone = zone(0)
        _ = try await push(0, to: zone) { $0 * Self.batch / 5 < count }
        let epoch = try await epoch(of: zone)
        let start = ContinuousClock.now
        var (last, found): (ItemKey?, Int) = (nil, 0)
        while true {
            let request = SyncRequest.snapshot(SnapshotRequest(epoch: epoch, after: last, limit: 1000))
            let response = try await service.answer(request, in: zone, by: Self.user)
            // Encoded, as for a device.
            guard !CBORWriter.bytes(of: response.wire).isEmpty, case .snapshot(let page) = response.answer,
                let next = page.updates.last?.item
            else { break }
            found += page.updates.count
            last = next
        }
        return Double(found) / (ContinuousClock.now - start).seconds
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
}
