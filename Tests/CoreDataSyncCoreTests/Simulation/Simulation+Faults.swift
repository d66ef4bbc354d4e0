import CoreDataSyncCore

/// Crashes, and what happens to devices and to the server besides.
extension Simulation {
    /// Ends a run of a device at any moment, now and then.
    mutating func crashes(_ index: Int) -> Bool {
        guard !isHealed, faults > 0, random.below(1000) < faults else { return false }
        restart(index)
        return true
    }

    mutating func restart(_ index: Int) {
        devices[index].run += 1
        devices[index].prepared = nil
        devices[index].machine = SyncMachine(
            schema: schema, settings: settings, random: SeededGenerator(random.next()))
        plan(.event(.start), on: index, after: UInt64(random.below(500)), run: devices[index].run)
        if devices[index].ledger.header.unknown > 0 { decide(index) }
    }

    mutating func disturb(_ index: Int) {
        guard faults > 0 else { return }
        switch random.below(16) {
        case 0, 1: devices[index].clock.disturb(now, &random)
        case 2, 3: devices[index].store.prune()
        case 4, 5, 6: devices[index].isOffline.toggle()
        case 7, 8: restart(index)
        case 9 where devices.count < 7:
            // A device is set up from the backup of another one.
            hasCopies = true
            var clone = devices[index]
            clone.run = 0
            clone.app = SimApp(continuing: clone.app, as: devices.count)
            clone.machine = SyncMachine(
                schema: schema, settings: settings, random: SeededGenerator(random.next()))
            clone.prepared = nil
            devices.append(clone)
            begin(devices.count - 1)
        case 10 where devices.count < 7: addDevice()
        case 11, 12:
            let before = storage
            try? server.forget(&storage, changedBefore: serverTime - min(now, 5000))
            record.noteForgotten(before: before, after: storage)
        case 13 where replacesStores: devices[index].copy = devices[index].store
        case 14 where replacesStores:
            guard devices[index].takeCopy() else { return }
            hasCopies = true
            restart(index)
        case 13: backup = storage
        case 14:
            guard var restored = backup else { return }
            let epoch = storage.header.epoch
            server.beginEpoch(&restored, after: epoch)
            record.noteRestore(before: storage)
            storage = restored
            backup = nil
            serverDelay = serverClock.chance(50) ? UInt64(serverClock.below(3 * 86_400_000)) : 0
        default: break
        }
    }
}
