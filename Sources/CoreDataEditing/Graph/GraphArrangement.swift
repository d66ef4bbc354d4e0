import CoreDataModelFormat

/// The places of all entities of a graph, computed from nothing but the graph.
///
/// The entities of an inheritance tree form a block, with the parent on top. Blocks that links connect are
/// arranged by `LayeredLayout`; the results, and last the entities without links, are put on shelves. Within a
/// block, the children of an entity are arranged in the same way.
struct GraphArrangement {
    /// Boxes that are moved together.
    private struct Block {
        var nodes: [(node: Int, origin: GraphPoint)]
        var size: GraphSize
        var routes: [Int: [LayeredLayout.Passage]] = [:]

        mutating func add(_ other: Block, at origin: GraphPoint) {
            nodes += other.nodes.map { ($0.node, $0.origin + origin) }
            for (link, passages) in other.routes {
                routes[link] = passages.map {
                    LayeredLayout.Passage(
                        fromX: $0.fromX + origin.x, toX: $0.toX + origin.x, y: $0.y + origin.y)
                }
            }
        }
    }

    private let graph: ModelGraph
    private let sizes: [GraphSize]
    private let children: [[Int]]

    private(set) var origins: [GraphPoint]
    /// The ways of links between boxes, from their `from` end.
    private(set) var routes: [Int: [LayeredLayout.Passage]] = [:]

    init(_ graph: ModelGraph, sizes: [GraphSize]) {
        self.graph = graph
        self.sizes = sizes
        var children = Array(repeating: [Int](), count: graph.nodes.count)
        for (child, parent) in graph.parents.enumerated() {
            if let parent { children[parent].append(child) }
        }
        self.children = children
        origins = Array(repeating: GraphPoint(x: 0, y: 0), count: graph.nodes.count)
        let roots = graph.nodes.indices.filter { graph.parents[$0] == nil }
        let whole = arranged(roots.map(block), gap: GraphMetrics.gap * 2, proportion: 1.6)
        for (node, origin) in whole.nodes { origins[node] = origin }
        routes = whole.routes
    }

    /// Returns the block of an entity and all that inherit from it.
    private func block(of node: Int) -> Block {
        let own = Block(nodes: [(node, GraphPoint(x: 0, y: 0))], size: sizes[node])
        guard !children[node].isEmpty else { return own }
        // Wide rather than high, so that few children stand behind others.
        let below = arranged(children[node].map(block), gap: GraphMetrics.gap, proportion: 4)
        var block = Block(nodes: [], size: GraphSize(width: 0, height: 0))
        block.size.width = max(own.size.width, below.size.width)
        block.size.height = own.size.height + GraphMetrics.generationGap + below.size.height
        block.add(own, at: GraphPoint(x: (block.size.width - own.size.width) / 2, y: 0))
        block.add(
            below,
            at: GraphPoint(
                x: (block.size.width - below.size.width) / 2,
                y: own.size.height + GraphMetrics.generationGap))
        return block
    }

    /// Arranges blocks beside and below each other.
    private func arranged(_ blocks: [Block], gap: Double, proportion: Double) -> Block {
        var owner: [Int: (block: Int, origin: GraphPoint)] = [:]
        for (index, block) in blocks.enumerated() {
            for (node, origin) in block.nodes { owner[node] = (index, origin) }
        }
        var edges: [LayeredLayout.Edge] = []
        for (index, link) in graph.links.enumerated() {
            guard let from = owner[link.from.node], let to = owner[link.to.node], from.block != to.block
            else { continue }
            let edge = LayeredLayout.Edge(
                from: from.block, to: to.block,
                fromHeight: from.origin.y + GraphMetrics.portHeight(ofRow: link.from.row),
                toHeight: to.origin.y + GraphMetrics.portHeight(ofRow: link.to.row), link: index)
            edges.append(Self.leadsForward(link) ? edge : edge.turned)
        }
        var components: [Block] = []
        var isolated: [Block] = []
        for members in Self.components(count: blocks.count, edges) {
            if members.count > 1 {
                components.append(layered(members.map { blocks[$0] }, members, edges))
            } else if blocks[members[0]].nodes.count > 1 {
                components.append(blocks[members[0]])
            } else {
                isolated.append(blocks[members[0]])
            }
        }
        let packing = ShelfPacking(
            components.map(\.size), last: isolated.map(\.size), gap: gap, proportion: proportion)
        var result = Block(nodes: [], size: packing.size)
        for (block, origin) in zip(components + isolated, packing.origins) { result.add(block, at: origin) }
        return result
    }

    /// Whether a link is drawn from left to right: the owner of many before what it owns.
    private static func leadsForward(_ link: ModelGraph.Link) -> Bool {
        let isToMany = link.from.relationship?.isToMany == true
        let isFromMany = link.to.relationship?.isToMany == true
        return isToMany || !isFromMany
    }

    private func layered(_ blocks: [Block], _ members: [Int], _ edges: [LayeredLayout.Edge]) -> Block {
        let local = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1, $0) })
        let inner = edges.compactMap { edge -> LayeredLayout.Edge? in
            guard let from = local[edge.from], let to = local[edge.to] else { return nil }
            return LayeredLayout.Edge(
                from: from, to: to, fromHeight: edge.fromHeight, toHeight: edge.toHeight, link: edge.link)
        }
        let layout = LayeredLayout(sizes: blocks.map(\.size), edges: inner)
        var result = Block(nodes: [], size: layout.size)
        for (block, origin) in zip(blocks, layout.origins) { result.add(block, at: origin) }
        for (link, passages) in layout.routes {
            let isTurned = !Self.leadsForward(graph.links[link])
            result.routes[link] =
                isTurned
                ? passages.reversed().map { .init(fromX: $0.toX, toX: $0.fromX, y: $0.y) } : passages
        }
        return result
    }

    /// Returns the connected parts, each in order, in the order of their first members.
    private static func components(count: Int, _ edges: [LayeredLayout.Edge]) -> [[Int]] {
        var first = Array(0..<count)
        func root(_ index: Int) -> Int {
            var index = index
            while first[index] != index {
                first[index] = first[first[index]]
                index = first[index]
            }
            return index
        }
        for edge in edges {
            let (one, other) = (root(edge.from), root(edge.to))
            first[max(one, other)] = min(one, other)
        }
        return Dictionary(grouping: 0..<count, by: root).values.sorted { $0[0] < $1[0] }
    }
}

extension LayeredLayout.Edge {
    fileprivate var turned: Self {
        Self(from: to, to: from, fromHeight: toHeight, toHeight: fromHeight, link: link)
    }
}
