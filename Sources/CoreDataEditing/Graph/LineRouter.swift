/// A finder of the ways of lines. It compares a few for each line, and takes the one that passes through the
/// fewest boxes, then the shortest.
struct LineRouter {
    private typealias Passage = LayeredLayout.Passage

    /// The end of a line at the side of a box.
    private struct Port {
        let point: GraphPoint
        /// 1 if the line leaves to the right, -1 if it leaves to the left.
        let direction: Double
    }

    private let graph: ModelGraph
    private let frames: [GraphRect]
    /// The areas that lines must not pass: the boxes, without their edges.
    private let obstacles: [GraphRect]
    /// The boxes with some room around them.
    private let margins: [GraphRect]

    init(_ graph: ModelGraph, frames: [GraphRect]) {
        self.graph = graph
        self.frames = frames
        obstacles = frames.map { $0.insetBy(3) }
        margins = frames.map { $0.insetBy(-6) }
    }

    // MARK: Links

    func path(ofLink index: Int, by passages: [LayeredLayout.Passage]) -> GraphPath {
        let link = graph.links[index]
        let (from, to) = (link.from, link.to)
        if from.node == to.node { return loop(link) }
        func port(_ end: ModelGraph.Link.End, _ direction: Double) -> Port {
            let frame = frames[end.node]
            return Port(
                point: GraphPoint(
                    x: direction > 0 ? frame.maxX : frame.minX,
                    y: frame.minY + GraphMetrics.portHeight(ofRow: end.row)),
                direction: direction)
        }
        let sides: [(Double, Double)] = [(1, -1), (-1, 1), (1, 1), (-1, -1)]
        var candidates: [(path: GraphPath, cost: Double)] = sides.map {
            let path = curve(port(from, $0), [], port(to, $1))
            return (path, cost(of: path))
        }
        if let first = passages.first, let last = passages.last {
            let path = curve(
                port(from, first.toX > first.fromX ? 1 : -1), passages,
                port(to, last.toX > last.fromX ? -1 : 1))
            // The layout has ordered these passages so that few lines cross.
            candidates.append((path, cost(of: path) * 0.8))
        }
        var best = candidates.min { $0.cost < $1.cost }!
        guard best.cost >= Self.costOfHit else { return best.path }
        let isRightward = frames[to.node].midX > frames[from.node].midX
        for side in sides.prefix(2) where (side.0 > 0) == isRightward {
            let ports = (port(from, side.0), port(to, side.1))
            var detours: [Passage] = []
            for _ in 0..<5 {
                let path = curve(ports.0, detours, ports.1)
                guard let box = firstHit(of: path, besides: [from.node, to.node]) else { break }
                let ways = [frames[box].minY - 16, frames[box].maxY + 16].map { y in
                    let ends = [ports.0.point.x, ports.1.point.x].sorted()
                    let left = max(frames[box].minX - 10, ends[0] + 12)
                    let right = max(left, min(frames[box].maxX + 10, ends[1] - 12))
                    let passage = Passage(
                        fromX: isRightward ? left : right, toX: isRightward ? right : left, y: y)
                    let all = (detours + [passage]).sorted {
                        isRightward ? $0.fromX < $1.fromX : $0.fromX > $1.fromX
                    }
                    let path = curve(ports.0, all, ports.1)
                    return (detours: all, path: path, cost: cost(of: path))
                }
                let way = ways[0].cost <= ways[1].cost ? ways[0] : ways[1]
                detours = way.detours
                if way.cost < best.cost { best = (way.path, way.cost) }
            }
        }
        return best.path
    }

    /// A line from an entity to itself, on its right.
    private func loop(_ link: ModelGraph.Link) -> GraphPath {
        let frame = frames[link.from.node]
        var upper = frame.minY + GraphMetrics.portHeight(ofRow: link.from.row)
        var lower = frame.minY + GraphMetrics.portHeight(ofRow: link.to.row)
        if upper == lower { (upper, lower) = (upper - 6, lower + 6) }
        let reach = frame.maxX + 30 + min(50, abs(lower - upper) * 0.25)
        return .curve([
            GraphPoint(x: frame.maxX, y: upper), GraphPoint(x: reach, y: upper),
            GraphPoint(x: reach, y: lower), GraphPoint(x: frame.maxX, y: lower),
        ])
    }

    /// A curve that is horizontal where it leaves, at its passages, and where it arrives.
    private func curve(_ from: Port, _ passages: [Passage], _ to: Port) -> GraphPath {
        var points = [from.point]
        var direction = from.direction
        func append(_ end: GraphPoint, arriving: Double) {
            let start = points[points.count - 1]
            let distance = end.x - start.x
            // A line that has to turn around goes out as far as it needs for that.
            let isStraight = distance * direction > 0 && distance * arriving > 0
            let reach =
                isStraight
                ? max(abs(distance) * 0.5, min(24, abs(distance)))
                : 34 + min(90, abs(end.y - start.y) * 0.2 + abs(distance) * 0.15)
            points.append(GraphPoint(x: start.x + direction * reach, y: start.y))
            points.append(GraphPoint(x: end.x - arriving * reach, y: end.y))
            points.append(end)
        }
        for passage in passages {
            let way: Double = passage.toX >= passage.fromX ? 1 : -1
            append(GraphPoint(x: passage.fromX, y: passage.y), arriving: way)
            direction = way
            append(GraphPoint(x: passage.toX, y: passage.y), arriving: way)
        }
        append(to.point, arriving: -to.direction)
        return .curve(points)
    }

    // MARK: Inheritance

    /// The line from an entity to its parent; nil if it has none in the drawing.
    func path(fromChild child: Int) -> GraphPath? {
        guard let parent = graph.parents[child] else { return nil }
        let (own, target) = (frames[child], frames[parent])
        let end = GraphPoint(x: target.midX, y: target.maxY)
        guard own.minY >= target.maxY + 20 else { return besides(own, target) }
        let bus = min(target.maxY + GraphMetrics.generationGap / 2, own.minY - 4)
        let head = own.minY + GraphMetrics.headerHeight / 2
        let top = GraphPoint(x: own.midX, y: own.minY)
        let ways: [[GraphPoint]] =
            [[top, GraphPoint(x: top.x, y: bus), GraphPoint(x: end.x, y: bus), end]]
            + [(own.minX, -14.0), (own.maxX, 14.0)].map { x, outward in
                [
                    GraphPoint(x: x, y: head), GraphPoint(x: x + outward, y: head),
                    GraphPoint(x: x + outward, y: bus), GraphPoint(x: end.x, y: bus), end,
                ]
            }
        // From above unless something is there: the lines of all children then join below the parent.
        let best = leastHit(ways, besides: child)
        guard best.hits > 0 else { return .straight(best.points) }
        // Else over the box to a free way up, the nearest one.
        let lane = own.minY - GraphMetrics.gap / 2
        let corridors = frames.filter { abs($0.midX - own.midX) < 600 && $0.minY < own.minY }
            .flatMap { [$0.minX - 14, $0.maxX + 14] }
            .sorted { (abs($0 - top.x), $0) < (abs($1 - top.x), $1) }
        let around = corridors.map { x in
            [
                top, GraphPoint(x: top.x, y: lane), GraphPoint(x: x, y: lane), GraphPoint(x: x, y: bus),
                GraphPoint(x: end.x, y: bus), end,
            ]
        }
        return .straight(leastHit([best.points] + around, besides: child).points)
    }

    /// Returns the first of the ways that come near the fewest boxes.
    private func leastHit(
        _ ways: [[GraphPoint]], besides own: Int
    ) -> (points: [GraphPoint], hits: Int) {
        var best = (points: ways[0], hits: Int.max)
        for way in ways where best.hits > 0 {
            let count = hits(GraphPath.straight(way).samples, in: margins, besides: own).count
            if count < best.hits { best = (way, count) }
        }
        return best
    }

    /// The line to a parent that is not above the entity.
    private func besides(_ own: GraphRect, _ target: GraphRect) -> GraphPath {
        if target.minY >= own.maxY + 24 {
            let middle = (own.maxY + target.minY) / 2
            return .straight([
                GraphPoint(x: own.midX, y: own.maxY), GraphPoint(x: own.midX, y: middle),
                GraphPoint(x: target.midX, y: middle), GraphPoint(x: target.midX, y: target.minY),
            ])
        }
        let isRightward = target.midX > own.midX
        let half = GraphMetrics.headerHeight / 2
        let start = GraphPoint(x: isRightward ? own.maxX : own.minX, y: own.minY + half)
        let end = GraphPoint(x: isRightward ? target.minX : target.maxX, y: target.minY + half)
        let middle = (start.x + end.x) / 2
        return .straight([
            start, GraphPoint(x: middle, y: start.y), GraphPoint(x: middle, y: end.y), end,
        ])
    }

    // MARK: Costs

    private static let costOfHit = 100_000.0

    private func cost(of path: GraphPath) -> Double {
        let samples = path.samples
        let length = zip(samples, samples.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        return length + Double(hits(samples).count) * Self.costOfHit
    }

    private func firstHit(of path: GraphPath, besides own: Set<Int>) -> Int? {
        let samples = path.samples
        let hits = hits(samples).subtracting(own)
        for sample in samples {
            if let box = hits.sorted().first(where: { obstacles[$0].contains(sample) }) { return box }
        }
        return nil
    }

    private func hits(_ samples: [GraphPoint]) -> Set<Int> { hits(samples, in: obstacles) }

    /// Returns the boxes that the points lie in.
    private func hits(_ samples: [GraphPoint], in boxes: [GraphRect], besides own: Int? = nil) -> Set<Int> {
        var (left, right, top, bottom) = (
            Double.infinity, -Double.infinity, Double.infinity, -Double.infinity
        )
        for sample in samples {
            (left, right) = (min(left, sample.x), max(right, sample.x))
            (top, bottom) = (min(top, sample.y), max(bottom, sample.y))
        }
        var hits: Set<Int> = []
        for (index, box) in boxes.enumerated()
        where index != own && box.minX < right && box.maxX > left && box.minY < bottom && box.maxY > top {
            if samples.contains(where: box.contains) { hits.insert(index) }
        }
        return hits
    }
}
