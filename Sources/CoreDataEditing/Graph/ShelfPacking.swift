/// A packing of rectangles on shelves, so that all together are about as wide and high as a screen.
struct ShelfPacking {
    private(set) var origins: [GraphPoint]
    private(set) var size: GraphSize

    /// Packs rectangles, the tall ones first.
    ///
    /// - Parameter proportion: The width of the screen for a height of 1.
    /// - Parameter last: Small rectangles, which are put below the others, in columns.
    init(_ sizes: [GraphSize], last: [GraphSize] = [], gap: Double, proportion: Double = 1.6) {
        /// The height of the smallest screen that shows it all.
        func extent(_ size: GraphSize) -> Double { max(size.width / proportion, size.height) }

        let all = sizes + last
        let widest = all.map(\.width).max() ?? 0
        let total = all.reduce(0) { $0 + $1.width + gap }
        var best = Self.packed(sizes, last, width: widest, gap)
        var width = widest
        while width < total {
            width = min(total, width * 1.08)
            let next = Self.packed(sizes, last, width: width, gap)
            if extent(next.size) < extent(best.size) - 0.5 { best = next }
        }
        (origins, size) = best
    }

    private static func packed(
        _ sizes: [GraphSize], _ last: [GraphSize], width: Double, _ gap: Double
    ) -> (origins: [GraphPoint], size: GraphSize) {
        struct Shelf {
            var y: Double
            var x: Double
            let height: Double
        }
        var origins = Array(repeating: GraphPoint(x: 0, y: 0), count: sizes.count)
        var shelves: [Shelf] = []
        var bottom = 0.0
        for index in sizes.indices.sorted(by: { (-sizes[$0].height, $0) < (-sizes[$1].height, $1) }) {
            let size = sizes[index]
            let shelf =
                shelves.firstIndex { $0.x + size.width <= width + 0.01 }
                ?? {
                    shelves.append(Shelf(y: bottom, x: 0, height: size.height))
                    bottom += size.height + gap
                    return shelves.count - 1
                }()
            origins[index] = GraphPoint(x: shelves[shelf].x, y: shelves[shelf].y)
            shelves[shelf].x += size.width + gap
        }
        var extent = GraphSize(
            width: (shelves.map(\.x).max() ?? gap) - gap, height: max(0, bottom - gap))
        let columns = columns(last, width: max(width, extent.width), gap, top: bottom)
        origins += columns.origins
        extent.width = max(extent.width, columns.size.width)
        extent.height = max(extent.height, columns.size.height)
        return (origins, extent)
    }

    /// Puts rectangles into columns of one width, each into the column that is shortest.
    private static func columns(
        _ sizes: [GraphSize], width: Double, _ gap: Double, top: Double
    ) -> (origins: [GraphPoint], size: GraphSize) {
        guard let widest = sizes.map(\.width).max() else { return ([], GraphSize(width: 0, height: 0)) }
        let count = min(sizes.count, max(1, Int((width + gap) / (widest + gap))))
        var bottoms = Array(repeating: top, count: count)
        var origins: [GraphPoint] = []
        for size in sizes {
            let column = bottoms.indices.min { (bottoms[$0], $0) < (bottoms[$1], $1) }!
            origins.append(GraphPoint(x: Double(column) * (widest + gap), y: bottoms[column]))
            bottoms[column] += size.height + gap
        }
        let extent = GraphSize(
            width: Double(count) * (widest + gap) - gap, height: bottoms.max()! - gap)
        return (origins, extent)
    }
}
