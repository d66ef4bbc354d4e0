/// A point of a drawing; y grows downwards.
package struct GraphPoint: Sendable, Hashable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    static func + (left: GraphPoint, right: GraphPoint) -> GraphPoint {
        GraphPoint(x: left.x + right.x, y: left.y + right.y)
    }

    func distance(to other: GraphPoint) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}

package struct GraphSize: Sendable, Hashable {
    package var width: Double
    package var height: Double

    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

/// A rectangle of a drawing.
package struct GraphRect: Sendable, Hashable {
    package var origin: GraphPoint
    package var size: GraphSize

    package init(origin: GraphPoint, size: GraphSize) {
        self.origin = origin
        self.size = size
    }

    package var minX: Double { origin.x }
    package var minY: Double { origin.y }
    package var maxX: Double { origin.x + size.width }
    package var maxY: Double { origin.y + size.height }
    package var midX: Double { origin.x + size.width / 2 }
    package var midY: Double { origin.y + size.height / 2 }

    /// Returns whether the rectangles overlap, or are closer than `distance`.
    package func isNear(_ other: GraphRect, within distance: Double = 0) -> Bool {
        minX < other.maxX + distance && other.minX < maxX + distance
            && minY < other.maxY + distance && other.minY < maxY + distance
    }

    package func contains(_ point: GraphPoint) -> Bool {
        point.x > minX && point.x < maxX && point.y > minY && point.y < maxY
    }

    func union(_ other: GraphRect) -> GraphRect {
        let corner = GraphPoint(x: min(minX, other.minX), y: min(minY, other.minY))
        return GraphRect(
            origin: corner,
            size: GraphSize(
                width: max(maxX, other.maxX) - corner.x, height: max(maxY, other.maxY) - corner.y))
    }

    func insetBy(_ distance: Double) -> GraphRect {
        GraphRect(
            origin: GraphPoint(x: minX + distance, y: minY + distance),
            size: GraphSize(width: size.width - 2 * distance, height: size.height - 2 * distance))
    }
}
