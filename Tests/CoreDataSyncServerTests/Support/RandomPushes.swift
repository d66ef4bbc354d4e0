import CoreDataSyncCore

/// Random requests of a few devices about a few objects, so that they meet.
struct RandomPushes {
    static let start: UInt64 = 1_800_000_000_000

    var random: SeededGenerator
    var now = start
    private var receipts: [UInt64: [UInt8]] = [:]
    private var last: [UInt64: PushRequest] = [:]
    private var totals: [SyncID: Int64] = [:]
    private var number: UInt64 = 0
    private let entities = ["Library", "Shelf", "Book", "Novel", "Tag", "Loan"]

    init(_ seed: UInt64) {
        random = SeededGenerator(seed)
    }

    mutating func push(_ header: ZoneHeader) -> PushRequest {
        now += UInt64(random.below(2000))
        let device = UInt64(random.below(4) + 1)
        // Now and then an answer is lost, and the same push comes again.
        if random.chance(10), let request = last[device] { return request }
        var request = PushRequest(
            epoch: random.chance(97) ? header.epoch : 0, replica: SyncID(high: 2, low: device),
            previous: receipts[device] ?? [], changes: [])
        if random.chance(3) { request.previous = [1, 2, 3] }
        for _ in 0..<(1 + random.below(12)) { request.changes.append(change(device, header)) }
        last[device] = request
        return request
    }

    /// Takes note of an answer, unless it is lost.
    mutating func read(_ response: SyncResponse, to request: PushRequest) {
        if case .push(let answer) = response.answer { receipts[request.replica.low] = answer.receipt }
    }

    private mutating func stamp(_ device: UInt64) -> Stamp {
        let time = now + 4000 - UInt64(random.below(9000))
        return Stamp(
            time: HybridTime(milliseconds: random.chance(1) ? now + 90_000 : time),
            replica: SyncID(high: 2, low: device))
    }

    private mutating func object() -> (id: SyncID, entity: String) {
        let index = random.below(entities.count)
        return (SyncID(high: 3, low: UInt64(index * 10 + random.below(3))), entities[index])
    }

    private mutating func id(of entity: String) -> SyncID {
        let index = entities.firstIndex(of: entity) ?? 0
        return SyncID(high: 3, low: UInt64(index * 10 + random.below(3)))
    }

    private mutating func change(_ device: UInt64, _ header: ZoneHeader) -> Change {
        number += 1
        let (id, entity) = object()
        var item = ItemKey.object(id)
        let edit: Change.Edit
        switch random.below(9) {
        case 0...2:
            edit = .existence(
                UInt32(1 + random.below(3)), seen: UInt64(random.below(Int(header.sequence) + 1)))
        case 3:
            item = .pair("Book.tags", self.id(of: "Book"), self.id(of: "Tag"))
            edit = .set(ItemState.presence, .boolean(random.chance(70)))
        case 4 where entity == "Book":
            let total = totals[id, default: 0] + Int64(random.below(5))
            totals[id] = total
            edit = .count("copies", .integer(total))
        default: edit = set(entity)
        }
        let stamp = stamp(device)
        let base = random.chance(50) ? self.stamp(UInt64(random.below(4) + 1)) : nil
        return Change(
            number: number, item: item, entity: item.object == nil ? "Book.tags" : entity, edit: edit,
            stamp: stamp, base: base, isRelayed: random.chance(10))
    }

    private mutating func set(_ entity: String) -> Change.Edit {
        switch entity {
        case "Library": .set("name", .string(random.pick(["a", "b"])))
        case "Shelf":
            random.chance(60)
                ? .set("library", .reference(id(of: "Library"))) : .set("parent", .reference(id(of: "Shelf")))
        case "Book", "Novel":
            switch random.below(6) {
            case 0: .set("isbn", random.chance(80) ? .string(random.pick(["1", "2", "3"])) : .null)
            case 1: .set("shelf", .reference(id(of: "Shelf")))
            case 2: .set("prequel", .reference(id(of: "Book")))
            case 3: .set("rating", .integer(Int64(random.below(9))))
            case 4:
                .set("place", .group(["latitude": .real(1.5), "longitude": .real(Double(random.below(3)))]))
            default: .set("title", .string(random.pick(["x", "y", "é"])))
            }
        case "Tag": .set("name", .string(random.pick(["red", "blue"])))
        default: .set("tag", random.chance(80) ? .reference(id(of: "Tag")) : .null)
        }
    }
}
