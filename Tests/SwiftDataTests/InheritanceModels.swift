#if SwiftData
import SwiftData

@Model
class Vehicle {
    var name: String
    var wheels = 4
    @Relationship(inverse: \Garage.vehicles) var garage: Garage?
    @Transient var opened = 0

    init(_ name: String, garage: Garage? = nil) {
        self.name = name
        self.garage = garage
    }

    var title: String { name }
}

@Model
class Truck: Vehicle {
    #Index<Truck>([\.load])

    var load: Int
    var trailer: Trailer?
    var axles = [2, 3]

    init(_ name: String, load: Int) {
        self.load = load
        super.init(name)
    }

    override var title: String { "\(name) \(load)" }
}

@Model
final class Crane: Truck {
    var height = 10.0
    var state = Status.packed

    init(_ name: String, height: Double) {
        super.init(name, load: 100)
        self.height = height
    }
}

@Model
final class Bicycle: Vehicle {
    init() {
        super.init("bicycle")
        wheels = 2
    }
}

@Model
final class Trailer {
    var length: Int
    var truck: Truck?

    init(_ length: Int) { self.length = length }
}

@Model
final class Garage {
    var town: String
    var vehicles: [Vehicle] = []

    init(_ town: String) { self.town = town }
}
#endif
