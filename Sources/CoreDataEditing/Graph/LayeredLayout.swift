/// A layout of a connected graph in columns, so that lines run from left to right and few cross.
///
/// It breaks cycles, gives each item the column at the end of the longest way to it, orders the columns by 24
/// sweeps of medians, and then moves the items to where their lines are straight. All ties are broken by the
/// order of the items, so that equal graphs get equal layouts.
struct LayeredLayout {
    struct Edge {
        var from: Int
        var to: Int
        /// The heights, from the top of the items, at which the edge ends.
        var fromHeight: Double
        var toHeight: Double
        let link: Int
    }

    /// The way of an edge through a column in which it does not end: straight from one x to the other.
    struct Passage: Hashable {
        var fromX: Double
        var toX: Double
        var y: Double
    }

    /// An item, or a place in a column where an edge passes.
    private struct Place {
        var item: Int?
        var layer: Int
        var height: Double
        var y = 0.0
        var before: [Segment] = []
        var after: [Segment] = []
    }

    /// A piece of an edge, as seen from one end.
    private struct Segment {
        let place: Int
        let ownHeight: Double
        let otherHeight: Double
        let isPassage: Bool
    }

    private let sizes: [GraphSize]
    private var edges: [Edge]
    private var layerOf: [Int]
    private var places: [Place] = []
    private var layers: [[Int]] = []
    /// The position of each place in its layer.
    private var rank: [Int] = []
    private var passages: [Int: [Int]] = [:]

    private(set) var origins: [GraphPoint] = []
    private(set) var size = GraphSize(width: 0, height: 0)
    /// The passages of links, from the `from` end of the edge as it was given.
    private(set) var routes: [Int: [Passage]] = [:]

    init(sizes: [GraphSize], edges: [Edge]) {
        self.sizes = sizes
        self.edges = edges
        layerOf = Array(repeating: 0, count: sizes.count)
        let sequence = breakCycles()
        assignLayers(sequence)
        shortenEdges(sequence)
        spreadLeaves()
        splitTallLayers()
        makePlaces()
        order()
        setHeights()
        setWidths(original: edges)
    }

    // MARK: Layers

    /// Turns edges so that there is no cycle and few are turned: items with more edges out than in come first.
    ///
    /// - Returns: The items in an order in which all edges lead forward.
    private mutating func breakCycles() -> [Int] {
        var outgoing = Array(repeating: 0, count: sizes.count)
        var incoming = outgoing
        for edge in edges {
            outgoing[edge.from] += 1
            incoming[edge.to] += 1
        }
        var neighbours = Array(repeating: [Int](), count: sizes.count)
        for (index, edge) in edges.enumerated() {
            neighbours[edge.from].append(index)
            neighbours[edge.to].append(index)
        }
        var isPlaced = Array(repeating: false, count: sizes.count)
        var first: [Int] = []
        var last: [Int] = []
        func remove(_ item: Int) {
            isPlaced[item] = true
            for index in neighbours[item] {
                let edge = edges[index]
                if edge.from == item { incoming[edge.to] -= 1 } else { outgoing[edge.from] -= 1 }
            }
        }
        while first.count + last.count < sizes.count {
            let rest = sizes.indices.filter { !isPlaced[$0] }
            if let sink = rest.first(where: { outgoing[$0] == 0 && incoming[$0] > 0 }) {
                last.append(sink)
                remove(sink)
            } else {
                let next = rest.max { left, right in
                    let (one, other) = (outgoing[left] - incoming[left], outgoing[right] - incoming[right])
                    return one != other ? one < other : left > right
                }!
                first.append(next)
                remove(next)
            }
        }
        let sequence = first + last.reversed()
        var position = Array(repeating: 0, count: sizes.count)
        for (index, item) in sequence.enumerated() { position[item] = index }
        for index in edges.indices where position[edges[index].from] > position[edges[index].to] {
            turn(index)
        }
        return sequence
    }

    private mutating func turn(_ index: Int) {
        let edge = edges[index]
        edges[index] = Edge(
            from: edge.to, to: edge.from, fromHeight: edge.toHeight, toHeight: edge.fromHeight,
            link: edge.link)
    }

    private mutating func assignLayers(_ sequence: [Int]) {
        var outgoing = Array(repeating: [Int](), count: sizes.count)
        for edge in edges { outgoing[edge.from].append(edge.to) }
        for item in sequence {
            for other in outgoing[item] { layerOf[other] = max(layerOf[other], layerOf[item] + 1) }
        }
    }

    /// Moves items within the room that their neighbours leave, to where their edges are shortest.
    private mutating func shortenEdges(_ sequence: [Int]) {
        for _ in 0..<4 {
            var hasMoved = false
            for item in sequence.reversed() {
                let after = edges.filter { $0.from == item }.map { layerOf[$0.to] }
                let before = edges.filter { $0.to == item }.map { layerOf[$0.from] }
                guard after.count > before.count, let end = after.min(), end - 1 > layerOf[item] else {
                    continue
                }
                layerOf[item] = end - 1
                hasMoved = true
            }
            if !hasMoved { break }
        }
    }

    /// Puts items with a single neighbour on both sides of it, so that neither column gets too tall.
    private mutating func spreadLeaves() {
        guard sizes.count > 2 else { return }
        var neighbours = Array(repeating: Set<Int>(), count: sizes.count)
        for edge in edges {
            neighbours[edge.from].insert(edge.to)
            neighbours[edge.to].insert(edge.from)
        }
        var heights: [Int: Double] = [:]
        let leaves = sizes.indices.filter { neighbours[$0].count == 1 }
        for item in sizes.indices where neighbours[item].count > 1 {
            heights[layerOf[item], default: 0] += sizes[item].height + GraphMetrics.gap
        }
        for leaf in leaves {
            let hub = neighbours[leaf].first!
            guard neighbours[hub].count > 1 else { continue }
            let isAfter = layerOf[leaf] > layerOf[hub]
            let (near, far) =
                isAfter ? (layerOf[hub] + 1, layerOf[hub] - 1) : (layerOf[hub] - 1, layerOf[hub] + 1)
            let height = sizes[leaf].height + GraphMetrics.gap
            let isTurned = heights[far, default: 0] + height < heights[near, default: 0]
            layerOf[leaf] = isTurned ? far : near
            heights[layerOf[leaf], default: 0] += height
            for index in edges.indices where edges[index].from == leaf || edges[index].to == leaf {
                if layerOf[edges[index].from] > layerOf[edges[index].to] { turn(index) }
            }
        }
        normalize()
    }

    /// Numbers the layers from 0, without gaps.
    private mutating func normalize() {
        let used = Set(layerOf).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
        for item in layerOf.indices { layerOf[item] = numbers[layerOf[item]]! }
    }

    /// Splits layers that are taller than the whole drawing should be: the items of a layer have no edges
    /// between them.
    private mutating func splitTallLayers() {
        let gap = GraphMetrics.gap
        let area = sizes.reduce(0) { $0 + ($1.width + GraphMetrics.gutter) * ($1.height + gap) }
        let limit = max(sizes.map(\.height).max() ?? 0, (area / 1.6).squareRoot() * 1.15)
        var surplus = Array(repeating: 0, count: sizes.count)
        for edge in edges {
            surplus[edge.from] += 1
            surplus[edge.to] -= 1
        }
        var columns = layerOf
        var next = 0
        for layer in 0...(layerOf.max() ?? 0) {
            let items = sizes.indices.filter { layerOf[$0] == layer }
            let total = items.reduce(-gap) { $0 + sizes[$1].height + gap }
            let share = total / (total / limit).rounded(.up)
            var height = 0.0
            var column = next
            for item in items.sorted(by: { (surplus[$0], $0) < (surplus[$1], $1) }) {
                if height > 0, height + sizes[item].height / 2 > share {
                    column += 1
                    height = 0
                }
                height += sizes[item].height + gap
                columns[item] = column
            }
            next = column + 1
        }
        layerOf = columns
    }

    // MARK: Places

    private mutating func makePlaces() {
        layers = Array(repeating: [], count: (layerOf.max() ?? 0) + 1)
        for item in sizes.indices {
            places.append(Place(item: item, layer: layerOf[item], height: sizes[item].height))
            layers[layerOf[item]].append(item)
        }
        for (index, edge) in edges.enumerated() {
            var previous = edge.from
            var previousHeight = edge.fromHeight
            for layer in (layerOf[edge.from] + 1)..<max(layerOf[edge.from] + 1, layerOf[edge.to]) {
                let place = places.count
                places.append(Place(item: nil, layer: layer, height: 0))
                layers[layer].append(place)
                passages[index, default: []].append(place)
                connect(previous, previousHeight, place, 0)
                (previous, previousHeight) = (place, 0)
            }
            connect(previous, previousHeight, edge.to, edge.toHeight)
        }
        rank = Array(repeating: 0, count: places.count)
        for layer in layers { setRanks(layer) }
    }

    private mutating func connect(_ left: Int, _ leftHeight: Double, _ right: Int, _ rightHeight: Double) {
        let isPassage = places[left].item == nil && places[right].item == nil
        places[left].after.append(
            Segment(place: right, ownHeight: leftHeight, otherHeight: rightHeight, isPassage: isPassage))
        places[right].before.append(
            Segment(place: left, ownHeight: rightHeight, otherHeight: leftHeight, isPassage: isPassage))
    }

    private mutating func setRanks(_ layer: [Int]) {
        for (index, place) in layer.enumerated() { rank[place] = index }
    }

    // MARK: Order

    private mutating func order() {
        var best = layers
        var fewest = crossings()
        for sweep in 0..<24 where fewest > 0 {
            let isForward = sweep % 2 == 0
            let indices =
                isForward ? Array(layers.indices.dropFirst()) : Array(layers.indices.dropLast().reversed())
            for index in indices {
                sortByMedians(index, isForward: isForward)
                exchangeNeighbours(index)
            }
            let count = crossings()
            if count < fewest { (best, fewest) = (layers, count) }
        }
        layers = best
        for layer in layers { setRanks(layer) }
    }

    /// Sorts a layer by the medians of its neighbours in the layer before or after it. A place without any
    /// stays where it is.
    private mutating func sortByMedians(_ index: Int, isForward: Bool) {
        let layer = layers[index]
        let medians = layer.map { place in
            median((isForward ? places[place].before : places[place].after).map(position))
        }
        var sorted = layer.indices.filter { medians[$0] != nil }
            .sorted { (medians[$0]!, $0) < (medians[$1]!, $1) }.makeIterator()
        layers[index] = layer.indices.map { medians[$0] == nil ? layer[$0] : layer[sorted.next()!] }
        setRanks(layers[index])
    }

    /// The position of the other end of a segment, where the height within an item counts less than one place.
    private func position(_ segment: Segment) -> Double {
        let place = places[segment.place]
        return Double(rank[segment.place]) + (place.height > 0 ? segment.otherHeight / place.height * 0.9 : 0)
    }

    private func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// Exchanges places that follow each other if fewer lines cross then.
    private mutating func exchangeNeighbours(_ index: Int) {
        guard layers[index].count > 1 else { return }
        for _ in 0..<2 {
            var hasChanged = false
            for upper in 0..<(layers[index].count - 1) {
                let (one, other) = (layers[index][upper], layers[index][upper + 1])
                let now = crossings(one, other)
                guard now > 0, crossings(other, one) < now else { continue }
                layers[index].swapAt(upper, upper + 1)
                (rank[one], rank[other]) = (upper + 1, upper)
                hasChanged = true
            }
            if !hasChanged { break }
        }
    }

    /// Returns how many segments of two places of a layer cross if the first is above the second.
    private func crossings(_ upper: Int, _ lower: Int) -> Int {
        crossings(places[upper].before, places[lower].before)
            + crossings(places[upper].after, places[lower].after)
    }

    private func crossings(_ upper: [Segment], _ lower: [Segment]) -> Int {
        var count = 0
        for one in upper {
            let position = position(one)
            for other in lower where self.position(other) < position { count += 1 }
        }
        return count
    }

    private func crossings() -> Int {
        var count = 0
        for layer in layers.dropLast() {
            // The ends on the right, from the top of the left layer: each pair in the wrong order is a crossing.
            var seen: [Double] = []
            for place in layer {
                for segment in places[place].after.sorted(by: { $0.ownHeight < $1.ownHeight }) {
                    let position = position(segment)
                    let index = seen.partition(after: position)
                    count += seen.count - index
                    seen.insert(position, at: index)
                }
            }
        }
        return count
    }

    // MARK: Coordinates

    /// Moves the places of each layer to where their lines are straight, as far as the others of the layer
    /// allow. The lines of passages have priority.
    private mutating func setHeights() {
        for layer in layers {
            var y = 0.0
            for (index, place) in layer.enumerated() {
                if index > 0 { y += gap(layer[index - 1], place) }
                places[place].y = y
                y += places[place].height
            }
            for place in layer { places[place].y -= y / 2 }
        }
        for round in 0..<12 {
            let usesBoth = round > 7
            let isForward = round % 2 == 0
            for layer in isForward ? layers : layers.reversed() {
                align(layer) { place in
                    usesBoth ? place.before + place.after : isForward ? place.before : place.after
                }
            }
        }
        let top = places.map(\.y).min() ?? 0
        for index in places.indices { places[index].y -= top }
    }

    private func gap(_ upper: Int, _ lower: Int) -> Double {
        switch (places[upper].item, places[lower].item) {
        case (nil, nil): 12
        case (nil, _), (_, nil): 20
        default: GraphMetrics.gap
        }
    }

    /// Moves the places of a layer as near as possible to where they should be, without changing their order.
    private mutating func align(_ layer: [Int], by segments: (Place) -> [Segment]) {
        /// Places that touch each other and move together.
        struct Group {
            var count: Int
            var weight: Double
            var y: Double
        }
        var offsets: [Double] = []
        var groups: [Group] = []
        for (index, place) in layer.enumerated() {
            let offset =
                index == 0
                ? 0 : offsets[index - 1] + places[layer[index - 1]].height + gap(layer[index - 1], place)
            offsets.append(offset)
            let own = segments(places[place])
            let wanted = median(own.map { places[$0.place].y + $0.otherHeight - $0.ownHeight })
            let weight = own.reduce(0.05) { $0 + ($1.isPassage ? 16 : places[place].item == nil ? 6 : 1) }
            groups.append(Group(count: 1, weight: weight, y: (wanted ?? places[place].y) - offset))
            while groups.count > 1, groups[groups.count - 2].y > groups[groups.count - 1].y {
                let lower = groups.removeLast()
                let upper = groups.removeLast()
                let weight = upper.weight + lower.weight
                groups.append(
                    Group(
                        count: upper.count + lower.count, weight: weight,
                        y: (upper.y * upper.weight + lower.y * lower.weight) / weight))
            }
        }
        var index = 0
        for group in groups {
            for _ in 0..<group.count {
                places[layer[index]].y = group.y + offsets[index]
                index += 1
            }
        }
    }

    private mutating func setWidths(original: [Edge]) {
        origins = Array(repeating: GraphPoint(x: 0, y: 0), count: sizes.count)
        var x = 0.0
        var columns: [(left: Double, right: Double)] = []
        for layer in layers {
            let width = layer.compactMap { places[$0].item.map { sizes[$0].width } }.max() ?? 0
            for place in layer {
                guard let item = places[place].item else { continue }
                origins[item] = GraphPoint(x: x + (width - sizes[item].width) / 2, y: places[place].y)
            }
            columns.append((x, x + width))
            let lines = layer.reduce(0) { $0 + places[$1].after.count }
            x += width + GraphMetrics.gutter + min(70, Double(lines) * 3)
        }
        for (index, edge) in edges.enumerated() {
            let passed = passages[index, default: []].map { place in
                let column = columns[places[place].layer]
                return Passage(fromX: column.left, toX: column.right, y: places[place].y)
            }
            let isTurned = edge.from != original[index].from
            routes[edge.link] =
                isTurned
                ? passed.reversed().map { Passage(fromX: $0.toX, toX: $0.fromX, y: $0.y) } : passed
        }
        let bottom = places.map { $0.y + $0.height }.max() ?? 0
        size = GraphSize(width: columns.last?.right ?? 0, height: bottom)
    }
}

extension [Double] {
    /// Returns the index of the first element of a sorted array that is greater than the value.
    fileprivate func partition(after value: Double) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] > value { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
