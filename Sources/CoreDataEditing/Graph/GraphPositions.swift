import CoreDataModelFormat

/// The places of entities that people chose, and those of the others beside them.
enum GraphPositions {
    /// Returns the positions in the `<elements>` of a model; none if most boxes overlap another, as where the
    /// editor puts new entities: all in one place, or in small steps.
    static func stored(_ document: ModelDocument) -> [String: GraphPoint] {
        var frames: [String: GraphRect] = [:]
        for element in document.layout {
            func number(_ key: String) -> Double? {
                element.attributes[key].flatMap(Double.init).flatMap { abs($0) < 1e6 ? $0 : nil }
            }
            guard let name = element.attributes["name"], frames[name] == nil, let x = number("positionX"),
                let y = number("positionY")
            else { continue }
            frames[name] = GraphRect(
                origin: GraphPoint(x: x, y: y),
                size: GraphSize(width: number("width") ?? 128, height: number("height") ?? 60))
        }
        let overlapping = frames.filter { name, frame in
            frames.contains { $0.key != name && $0.value.isNear(frame) }
        }
        return overlapping.count * 2 > frames.count ? [:] : frames.mapValues(\.origin)
    }

    /// Returns the places of all boxes if some have one: those stay, and the others are put beside their
    /// neighbours.
    ///
    /// - Parameter keepsPlaces: Whether boxes that overlap stay, too.
    static func origins(
        _ graph: ModelGraph, sizes: [GraphSize], positions: [String: GraphPoint], keepsPlaces: Bool
    ) -> [GraphPoint] {
        var frames: [Int: GraphRect] = [:]
        for (index, node) in graph.nodes.enumerated() {
            guard let position = positions[node.name] else { continue }
            frames[index] = GraphRect(origin: position, size: sizes[index])
        }
        if !keepsPlaces { frames = settled(stretched(frames)) }
        var neighbours = Array(repeating: Set<Int>(), count: graph.nodes.count)
        func connect(_ one: Int, _ other: Int) {
            neighbours[one].insert(other)
            neighbours[other].insert(one)
        }
        for link in graph.links where link.from.node != link.to.node {
            connect(link.from.node, link.to.node)
        }
        for (child, parent) in graph.parents.enumerated() {
            if let parent { connect(child, parent) }
        }
        var rest = graph.nodes.indices.filter { frames[$0] == nil }
        while !rest.isEmpty {
            let next = rest.max { left, right in
                let (one, other) = (
                    neighbours[left].count { frames[$0] != nil },
                    neighbours[right].count { frames[$0] != nil }
                )
                return one != other ? one < other : left > right
            }!
            rest.removeAll { $0 == next }
            let near = neighbours[next].sorted().compactMap { frames[$0] }
            frames[next] = place(sizes[next], beside: near, among: Array(frames.values))
        }
        return graph.nodes.indices.map { frames[$0]!.origin }
    }

    /// Spreads places so that boxes that are larger than the editor's overlap less; their arrangement stays.
    private static func stretched(_ frames: [Int: GraphRect]) -> [Int: GraphRect] {
        let gap = GraphMetrics.gap
        let list = frames.values.sorted { ($0.minX, $0.minY) < ($1.minX, $1.minY) }
        var factor = 1.0
        for (index, frame) in list.enumerated() {
            for other in list[(index + 1)...] {
                let across = (frame.size.width + gap) / max(other.minX - frame.minX, 1)
                let upper = frame.minY < other.minY ? frame : other
                let down = (upper.size.height + gap) / max(abs(other.minY - frame.minY), 1)
                factor = max(factor, min(across, down, 2.5))
            }
        }
        return frames.mapValues {
            GraphRect(origin: GraphPoint(x: $0.minX * factor, y: $0.minY * factor), size: $0.size)
        }
    }

    /// Moves boxes down or to the right until none overlaps another.
    private static func settled(_ frames: [Int: GraphRect]) -> [Int: GraphRect] {
        var placed: [Int: GraphRect] = [:]
        let gap = GraphMetrics.gap
        for (index, frame) in frames.sorted(by: {
            ($0.value.minY, $0.value.minX, $0.key) < ($1.value.minY, $1.value.minX, $1.key)
        }) {
            var frame = frame
            while let other = placed.values.filter({ $0.isNear(frame, within: gap) })
                .min(by: { ($0.minY, $0.minX) < ($1.minY, $1.minX) })
            {
                let (down, right) = (other.maxY + gap - frame.minY, other.maxX + gap - frame.minX)
                if down <= right { frame.origin.y += down } else { frame.origin.x += right }
            }
            placed[index] = frame
        }
        return placed
    }

    /// Returns the free place that is nearest to the neighbours, or one below all boxes if there are none.
    private static func place(
        _ size: GraphSize, beside near: [GraphRect], among frames: [GraphRect]
    ) -> GraphRect {
        let gap = GraphMetrics.gap
        guard let first = near.first else {
            let all = frames.reduce(frames.first) { $0?.union($1) }
            return GraphRect(
                origin: GraphPoint(x: all?.minX ?? 0, y: all.map { $0.maxY + gap } ?? 0), size: size)
        }
        let middle = GraphPoint(
            x: near.reduce(0) { $0 + $1.midX } / Double(near.count),
            y: near.reduce(0) { $0 + $1.midY } / Double(near.count))
        var best: (distance: Double, frame: GraphRect)?
        // Every box offers four places beside it; around each, there is room at last beyond the outermost box.
        let across = GraphMetrics.gutter
        for frame in frames {
            let corners = [
                GraphPoint(x: frame.maxX + across, y: frame.minY),
                GraphPoint(x: frame.minX - across - size.width, y: frame.minY),
                GraphPoint(x: frame.minX, y: frame.maxY + gap),
                GraphPoint(x: frame.minX, y: frame.minY - gap - size.height),
            ]
            for corner in corners {
                let candidate = GraphRect(origin: corner, size: size)
                guard !frames.contains(where: { $0.isNear(candidate, within: gap / 2) }) else { continue }
                let distance = GraphPoint(x: candidate.midX, y: candidate.midY).distance(to: middle)
                if best.map({ (distance, corner.x, corner.y) < ($0.distance, $0.frame.minX, $0.frame.minY) })
                    ?? true
                {
                    best = (distance, candidate)
                }
            }
        }
        return best?.frame
            ?? GraphRect(origin: GraphPoint(x: first.minX, y: first.maxY + gap), size: size)
    }
}
