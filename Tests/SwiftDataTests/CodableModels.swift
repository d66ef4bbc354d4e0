#if SwiftData
import SwiftData

/// A parcel, with a property of each kind of Codable type.
@Model
final class Parcel {
    var number: String
    var status: Status = Status.packed
    var size = Size.small
    var route = Route.direct
    var label: Tag = Tag(rawValue: "none")
    var sender: Address
    var recipient: Address?
    var notes: [String] = []
    var stops: Set<Int>?
    var prices: [String: Double] = [:]
    @Attribute(.codable) var customs: Address?
    var weight = Grams(500)
    var remark = Remark()
    var answer: Remark?

    init(_ number: String, sender: Address) {
        self.number = number
        self.sender = sender
    }
}

enum Status: String, Codable, CaseIterable {
    case packed, sent, arrived
    var title: String { rawValue.uppercased() }
}

/// An enumeration without raw values.
enum Size: Codable { case small, large }

/// An enumeration with associated values.
enum Route: Codable, Equatable {
    case direct
    case over(String, days: Int)
}

struct Tag: RawRepresentable, Codable, Equatable {
    let rawValue: String
}

struct Address: Codable, Equatable {
    var town: String
    var code: Int?
    var place = Point(x: 0, y: 0)
    var kind = Size.small
    var lines: [String] = []
    var street = "Main"

    enum CodingKeys: String, CodingKey {
        case town = "city_name"
        case code, place, kind, lines, street
    }

    struct Point: Codable, Equatable {
        var x: Double
        var y: Double
    }
}

/// A struct that may have no value in any element.
struct Remark: Codable, Equatable {
    var text: String?
}

/// A type that encodes itself as one number.
struct Grams: Codable, Equatable {
    let value: Double

    init(_ value: Double) { self.value = value }
    init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Double.self)
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
#endif
