import SwiftData

@Model
final class Trip {
    #Unique<Trip>([\.code])

    var code: String
    var name: String
    var seats: Int
    var rating: Double
    var start: Date
    @Relationship(inverse: \Stay.trip) var stays: [Stay] = []

    init(_ number: Int) {
        code = "T-\(number)"
        name = "Trip number \(number)"
        seats = number
        rating = Double(number) / 2
        start = Date(timeIntervalSinceReferenceDate: Double(number))
    }

    var checksum: Int {
        let days = Int(start.timeIntervalSinceReferenceDate)
        return code.utf8.count &+ name.utf8.count &+ seats &+ Int(rating) &+ days
    }
}

@Model
final class Stay {
    var nights: Int
    var trip: Trip?

    init(_ nights: Int) { self.nights = nights }
}

/// A model with five numbers, and with a struct of five.
@Model
final class Sample {
    var a = 1
    var b = 2
    var c = 3
    var d = 4
    var e = 5
    var all = Five()

    init() {}
}

struct Five: Codable {
    var a = 1
    var b = 2
    var c = 3
    var d = 4
    var e = 5
}
