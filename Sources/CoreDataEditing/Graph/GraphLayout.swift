package import CoreDataModelFormat

/// The boxes and lines of a model's drawing, independent of what draws them.
package struct GraphLayout: Sendable, Hashable {
    package struct Line: Sendable, Hashable {
        package enum Subject: Sendable, Hashable {
            /// The index of a link.
            case link(Int)
            /// The index of an entity that inherits; the line leads from it to its parent.
            case inheritance(Int)
        }

        package let subject: Subject
        package let path: GraphPath
    }

    package let graph: ModelGraph
    /// The boxes of the graph's nodes.
    package let frames: [GraphRect]
    package let lines: [Line]
    package let bounds: GraphRect

    /// Lays out a graph.
    ///
    /// - Parameters:
    ///   - positions: The places that entities have already. If there are any, the others are put beside
    ///     their neighbours; if there are none, all places are computed.
    ///   - keepsPlaces: Whether boxes stay exactly where they are also if they overlap, as in an editor.
    package init(_ graph: ModelGraph, positions: [String: GraphPoint] = [:], keepsPlaces: Bool = false) {
        self.graph = graph
        let sizes = graph.nodes.map(GraphMetrics.size)
        var routes: [Int: [LayeredLayout.Passage]] = [:]
        let origins: [GraphPoint]
        if graph.nodes.contains(where: { positions[$0.name] != nil }) {
            origins = GraphPositions.origins(
                graph, sizes: sizes, positions: positions, keepsPlaces: keepsPlaces)
        } else {
            let arrangement = GraphArrangement(graph, sizes: sizes)
            (origins, routes) = (arrangement.origins, arrangement.routes)
        }
        let frames = zip(origins, sizes).map { GraphRect(origin: $0, size: $1) }
        self.frames = frames
        let router = LineRouter(graph, frames: frames)
        lines =
            graph.links.indices.map {
                Line(subject: .link($0), path: router.path(ofLink: $0, by: routes[$0] ?? []))
            }
            + graph.nodes.indices.compactMap { child in
                router.path(fromChild: child).map { Line(subject: .inheritance(child), path: $0) }
            }
        let first = GraphRect(origin: GraphPoint(x: 0, y: 0), size: GraphSize(width: 0, height: 0))
        let boxes = frames.dropFirst().reduce(frames.first ?? first) { $0.union($1) }
        bounds = lines.reduce(boxes) { bounds, line in
            line.path.samples.reduce(bounds) {
                $0.union(GraphRect(origin: $1, size: GraphSize(width: 0, height: 0)))
            }
        }
    }

    /// The places that the author gave the entities: those in the `<elements>` of the model, else those of
    /// `.layout.json`.
    ///
    /// - Parameter file: The places in `.layout.json`.
    package static func positions(
        in document: ModelDocument, or file: [String: GraphPoint] = [:]
    ) -> [String: GraphPoint] {
        let stored = GraphPositions.stored(document)
        return stored.isEmpty ? file : stored
    }
}
