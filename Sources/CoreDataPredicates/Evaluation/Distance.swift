import CoreDataValues
import Foundation

/// `distance(a, b)`: the distance of two places in metres, on a sphere with the earth's mean radius. Linux
/// has no `CLLocation`, so a place is any object with the keys `latitude` and `longitude`, in degrees.
enum Distance {
    private static let radius = 6_371_008.8

    static func metres(
        _ first: ExpressionValue,
        _ second: ExpressionValue
    ) throws(EvaluationError) -> ExpressionValue {
        if first.isNull || second.isNull { return .null }
        let (latitude, longitude) = (try angle("latitude", first), try angle("longitude", first))
        let (otherLatitude, otherLongitude) = (try angle("latitude", second), try angle("longitude", second))
        let vertical = sin((otherLatitude - latitude) / 2)
        let horizontal = sin((otherLongitude - longitude) / 2)
        let haversine =
            vertical * vertical + cos(latitude) * cos(otherLatitude) * horizontal * horizontal
        return .value(.double(2 * radius * asin(min(1, haversine.squareRoot()))))
    }

    private static func angle(_ key: String, _ location: ExpressionValue) throws(EvaluationError) -> Double {
        let value = try location.value(at: [key])
        guard let degrees = PromotedNumber(value)?.double else {
            throw .notANumber(value.summary, function: "distanceToLocation:fromLocation:")
        }
        return degrees * .pi / 180
    }
}
