/// A line of a drawing: pieces of cubic curves, or straight ones.
package enum GraphPath: Sendable, Hashable {
    /// The start, then two controls and an end for each piece.
    case curve([GraphPoint])
    case straight([GraphPoint])

    package var start: GraphPoint {
        switch self {
        case .curve(let points), .straight(let points): points[0]
        }
    }

    package var end: GraphPoint {
        switch self {
        case .curve(let points), .straight(let points): points[points.count - 1]
        }
    }

    /// The points before the end and after the start, which show the directions there.
    package var directions: (start: GraphPoint, end: GraphPoint) {
        switch self {
        case .curve(let points), .straight(let points): (points[1], points[points.count - 2])
        }
    }

    /// Points along the line.
    package var samples: [GraphPoint] {
        switch self {
        case .curve(let points):
            var samples = [points[0]]
            for piece in stride(from: 0, to: points.count - 1, by: 3) {
                for step in 1...Self.steps {
                    samples.append(
                        Self.point(
                            points[piece], points[piece + 1], points[piece + 2], points[piece + 3],
                            at: Double(step) / Double(Self.steps)))
                }
            }
            return samples
        case .straight(let points):
            var samples = [points[0]]
            for (one, other) in zip(points, points.dropFirst()) {
                for step in 1...Self.steps {
                    let part = Double(step) / Double(Self.steps)
                    samples.append(
                        GraphPoint(x: one.x + (other.x - one.x) * part, y: one.y + (other.y - one.y) * part))
                }
            }
            return samples
        }
    }

    private static let steps = 14

    private static func point(
        _ a: GraphPoint, _ b: GraphPoint, _ c: GraphPoint, _ d: GraphPoint, at t: Double
    ) -> GraphPoint {
        let s = 1 - t
        let (p, q, r, u) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
        return GraphPoint(
            x: p * a.x + q * b.x + r * c.x + u * d.x, y: p * a.y + q * b.y + r * c.y + u * d.y)
    }

    /// The two halves, of equal length in pieces.
    package var halves: (first: GraphPath, second: GraphPath) {
        switch self {
        case .straight: return (self, self)
        case .curve(let points):
            let pieces = (points.count - 1) / 3
            let middle = pieces / 2
            if pieces % 2 == 0 {
                return (.curve(Array(points[...(middle * 3)])), .curve(Array(points[(middle * 3)...])))
            }
            let (a, b, c, d) = (
                points[middle * 3], points[middle * 3 + 1], points[middle * 3 + 2], points[middle * 3 + 3]
            )
            func between(_ one: GraphPoint, _ other: GraphPoint) -> GraphPoint {
                GraphPoint(x: (one.x + other.x) / 2, y: (one.y + other.y) / 2)
            }
            let (ab, bc, cd) = (between(a, b), between(b, c), between(c, d))
            let (abc, bcd) = (between(ab, bc), between(bc, cd))
            let center = between(abc, bcd)
            return (
                .curve(points[...(middle * 3)] + [ab, abc, center]),
                .curve([center, bcd, cd] + points[(middle * 3 + 3)...])
            )
        }
    }
}
