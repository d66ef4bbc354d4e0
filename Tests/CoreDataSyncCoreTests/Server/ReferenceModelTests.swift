import CoreDataSyncCore
import CoreDataValues
import Testing

/// The simplest thing that can be said of a merge: registers in a dictionary, changes folded one by one.
struct ReferenceModel: Equatable {
    struct Key: Hashable {
        var item: ItemKey
        var register: String
    }

    var registers: [Key: Register] = [:]
    var lengths: [ItemKey: UInt32] = [:]

    mutating func apply(_ change: Change, _ schema: SyncSchema) {
        guard let register = change.register, let written = change.written else {
            if case .existence(let length, _) = change.edit {
                lengths[change.item] = max(lengths[change.item] ?? 0, length)
            }
            return
        }
        var items: Set<ItemKey> = [change.item]
        if case .pair(let name, let first, let second) = change.item, schema.pairs[name]?.isMirrored ?? false
        {
            items.insert(.pair(name, second, first))
        }
        let rule = schema.mergeRule(register, of: change.entity)
        for item in items {
            let key = Key(item: item, register: register)
            registers[key] = registers[key]?.merged(with: written, rule) ?? written
        }
    }
}

@Suite("Reference model")
struct ReferenceModelTests {
    /// One entity with every rule of merging and none of the model's other rules.
    static let model = SyncModel(entities: [
        SyncModel.Entity(
            "Note",
            properties: [
                .init("text", .attribute(.string, default: .null)),
                .init("count", .attribute(.integer64, default: .null), userInfo: ["SyncMerge": "counter"]),
                .init("most", .attribute(.integer64, default: .null), userInfo: ["SyncMerge": "max"]),
                .init("least", .attribute(.integer64, default: .null), userInfo: ["SyncMerge": "min"]),
                .init("author", .attribute(.string, default: .null), userInfo: ["SyncMerge": "first"]),
                .init("others", .relationship(.init(to: "Note", inverse: "others", isToMany: true))),
            ])
    ])

    /// Random changes of three devices. Each device's own come in their order, the devices in any.
    private func changes(_ random: inout SeededGenerator, _ zone: inout Zone) -> [[Change]] {
        (UInt64(1)...3).map { device in
            var total: Int64 = 0
            return (0..<12).map { index in
                let time = UInt64(10 + random.below(40) + index * 40)
                let id = UInt64(1 + random.below(3))
                let number = Int64(random.below(9))
                switch random.below(7) {
                case 0: return zone.change(id, "Note", .set("most", .integer(number)), by: device, at: time)
                case 1: return zone.change(id, "Note", .set("least", .integer(number)), by: device, at: time)
                case 2:
                    return zone.change(id, "Note", .set("author", .string("\(device)")), by: device, at: time)
                case 3:
                    total += number
                    return zone.change(1, "Note", .count("count", .integer(total)), by: device, at: time)
                case 4:
                    return zone.change(
                        id, "Note", .existence(UInt32(1 + random.below(3)), seen: 99), by: device, at: time)
                case 5:
                    var change = zone.change(
                        id, "Note.others", .set(ItemState.presence, .boolean(random.chance(60))), by: device,
                        at: time)
                    change.item = .pair("Note.others", Zone.id(id), Zone.id(1))
                    return change
                default:
                    return zone.change(
                        id, "Note", .set("text", .string("\(device) \(index)")), by: device, at: time)
                }
            }
        }
    }

    @Test("The server has what a fold of all changes gives, in any order and any portions")
    func fold() throws {
        for seed in 0..<UInt64(300) {
            var random = SeededGenerator(seed)
            var zone = try Zone(Self.model)
            zone.now += 1_000_000
            for id in UInt64(1)...3 { try zone.push(zone.insert("Note", id, [:], by: 9, at: 0), by: 9) }
            let portions = changes(&random, &zone)
            var reference = ReferenceModel()
            for id in UInt64(1)...3 { reference.lengths[.object(Zone.id(id))] = 1 }
            for change in portions.joined().shuffled(using: &random) {
                reference.apply(change, zone.server.schema)
            }

            var waiting = portions
            while waiting.contains(where: { !$0.isEmpty }) {
                let device = random.below(3)
                let count = min(waiting[device].count, 1 + random.below(4))
                guard count > 0 else { continue }
                try zone.push(Array(waiting[device].prefix(count)), by: UInt64(device + 1))
                waiting[device].removeFirst(count)
            }
            var stored = ReferenceModel()
            for (key, row) in zone.storage.rows {
                if key.object != nil { stored.lengths[key] = row.state.existence.length }
                for (name, register) in row.state.registers {
                    stored.registers[.init(item: key, register: name)] = register
                }
            }
            #expect(stored == reference, "seed \(seed)")
        }
    }
}
