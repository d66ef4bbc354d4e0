import CoreData

/// The managed objects of the same entities, with accessors as the code generator writes them.
final class ManagedTrip: NSManagedObject {
    private static let codeProperty = ManagedProperty("code")
    private static let nameProperty = ManagedProperty("name")
    private static let seatsProperty = ManagedProperty("seats")
    private static let ratingProperty = ManagedProperty("rating")
    private static let startProperty = ManagedProperty("start")
    private static let staysProperty = ManagedProperty("stays")

    var code: String {
        get { ManagedAccess.read(self, Self.codeProperty) }
        set { ManagedAccess.write(self, Self.codeProperty, newValue) }
    }
    var name: String {
        get { ManagedAccess.read(self, Self.nameProperty) }
        set { ManagedAccess.write(self, Self.nameProperty, newValue) }
    }
    var seats: Int {
        get { ManagedAccess.read(self, Self.seatsProperty) }
        set { ManagedAccess.write(self, Self.seatsProperty, newValue) }
    }
    var rating: Double {
        get { ManagedAccess.read(self, Self.ratingProperty) }
        set { ManagedAccess.write(self, Self.ratingProperty, newValue) }
    }
    var start: Date {
        get { ManagedAccess.read(self, Self.startProperty) }
        set { ManagedAccess.write(self, Self.startProperty, newValue) }
    }
    var stays: Set<ManagedStay> { ManagedAccess.read(self, Self.staysProperty) }

    func fill(_ number: Int) {
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

final class ManagedStay: NSManagedObject {
    private static let nightsProperty = ManagedProperty("nights")
    private static let tripProperty = ManagedProperty("trip")

    var trip: ManagedTrip? {
        get { ManagedAccess.read(self, Self.tripProperty) }
        set { ManagedAccess.write(self, Self.tripProperty, newValue) }
    }
    var nights: Int {
        get { ManagedAccess.read(self, Self.nightsProperty) }
        set { ManagedAccess.write(self, Self.nightsProperty, newValue) }
    }
}
