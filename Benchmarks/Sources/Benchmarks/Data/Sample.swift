import Foundation
import RawLoops

/// The values of one item. The same number yields the same values in every run and on every machine.
struct Sample {
    let rank: Int16
    let quantity: Int32
    let serial: Int64
    let ratio: Double
    let weight: Double
    let created: Date
    let isActive: Bool
    let code: String
    let city: String
    let note: String

    init(_ number: Int) {
        var random = RandomNumbers(seed: UInt64(number))
        rank = Int16.random(in: 0..<1000, using: &random)
        quantity = Int32.random(in: 0..<1_000_000, using: &random)
        serial = Int64(number) * 7919
        ratio = Double.random(in: 0..<1, using: &random)
        weight = Double.random(in: 0..<500, using: &random)
        created = Date(timeIntervalSinceReferenceDate: Double.random(in: 0..<700_000_000, using: &random))
        isActive = Bool.random(using: &random)
        code = "C-\(number)"
        city = Self.cities[number % Self.cities.count]
        note = "Note \(number) on \(city), long enough to lie outside of its slot"
    }

    /// The values by attribute name.
    var dictionary: [String: Any] {
        [
            "rank": rank, "quantity": quantity, "serial": serial, "ratio": ratio, "weight": weight,
            "created": created, "isActive": isActive, "code": code, "city": city, "note": note,
        ]
    }

    private static let cities = ["Lisboa", "Ghent", "Tartu", "Oulu", "Split", "Zürich", "Košice", "Bergen"]
}

/// The random number generator SplitMix64.
struct RandomNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// Samples in the form that the loops in C take. The first has the key 1.
final class RawItems {
    let start: UnsafeMutablePointer<raw_item>
    let count: Int

    init(_ samples: [Sample]) {
        count = samples.count
        start = .allocate(capacity: samples.count)
        for (index, sample) in samples.enumerated() {
            start[index] = raw_item(
                key: Int64(index + 1), rank: Int64(sample.rank), quantity: Int64(sample.quantity),
                serial: sample.serial, ratio: sample.ratio, weight: sample.weight,
                created: sample.created.timeIntervalSinceReferenceDate, is_active: sample.isActive ? 1 : 0,
                code: strdup(sample.code), city: strdup(sample.city), note: strdup(sample.note))
        }
    }

    deinit {
        for index in 0..<count {
            let item = start[index]
            for text in [item.code, item.city, item.note] { free(UnsafeMutablePointer(mutating: text)) }
        }
        start.deallocate()
    }
}
