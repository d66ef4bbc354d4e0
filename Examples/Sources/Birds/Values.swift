import Foundation

/// What kind of bird a species is.
public enum Family: String, Codable, CaseIterable, Sendable {
    case heron, duck, raptor, owl, songbird, other
}

/// What a bird was seen doing.
public enum Behaviour: String, Codable, Sendable {
    case feeding, singing, nesting, flying
}

/// The weather of an outing.
public struct Weather: Codable, Hashable, Sendable {
    public enum Sky: String, Codable, Sendable { case clear, cloud, fog, rain }

    public var sky: Sky
    public var celsius: Double?

    public init(sky: Sky, celsius: Double? = nil) {
        self.sky = sky
        self.celsius = celsius
    }
}

/// A place on the map.
public struct Spot: Codable, Hashable, Sendable {
    public var latitude: Double
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
