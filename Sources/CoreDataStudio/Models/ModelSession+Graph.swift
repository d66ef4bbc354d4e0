import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import CoreDataStudioInterface

/// The model as boxes and lines.
extension ModelSession {
    /// Returns the boxes and lines of a version. Boxes whose places the author chose stand exactly there.
    func graph(_ name: String?, _ scope: GraphScope) throws -> JSONValue {
        let version = try version(name)
        let layout = try layout(of: version, scope, isExact: true)
        let ids = elements(of: version).ids
        let placed = Set(positions(of: version).keys)
        let nodes = zip(layout.graph.nodes, layout.frames).map { node, frame in
            Self.json(node, frame, ids, isPlaced: placed.contains(node.name))
        }
        return .object([
            .init("revision", .integer(Int64(editor.revision))), .init("version", .string(version.name)),
            .init("nodes", .array(nodes)),
            .init("lines", .array(layout.lines.map { Self.json($0, layout.graph, ids) })),
            .init("bounds", layout.bounds.json),
            .init(
                "metrics",
                .object([
                    .init("header", .double(GraphMetrics.headerHeight)),
                    .init("row", .double(GraphMetrics.rowHeight)),
                    .init("footer", .double(GraphMetrics.footerHeight)),
                    .init("margin", .double(GraphMetrics.margin)),
                ])),
        ])
    }

    /// Returns the drawing of a version as SVG, as text: a page never shows it as a document.
    func drawing(_ name: String?, _ scope: GraphScope) throws -> StudioResponse {
        let version = try version(name)
        let layout = try layout(of: version, scope, isExact: false)
        let svg = GraphSVG(layout, title: version.name).text
        return StudioResponse(.bytes(Array(svg.utf8), type: .text, fileName: "\(version.name).svg"))
    }

    private func positions(of version: EditedVersion) -> [String: GraphPoint] {
        GraphLayout.positions(in: version.document, or: version.namedPositions)
    }

    private func layout(
        of version: EditedVersion, _ scope: GraphScope, isExact: Bool
    ) throws -> GraphLayout {
        let names = try scope.names(in: version.document)
        let graph = ModelGraph(version.document, detail: scope.detail, entities: names)
        let positions = scope.isArranged ? [:] : positions(of: version)
        return GraphLayout(graph, positions: positions, keepsPlaces: isExact)
    }

    private static func json(
        _ node: ModelGraph.Node, _ frame: GraphRect, _ ids: [String: ElementID], isPlaced: Bool
    ) -> JSONValue {
        let rows = node.rows.map { row in
            JSONValue.object([
                .init("element", ids["\(node.name).\(row.name)"]?.json ?? .null),
                .init("kind", .string(row.kind.name)), .init("name", .string(row.name)),
                .init("type", .string(row.type)), .init("flags", .array(row.flags.map { .string($0) })),
            ])
        }
        return .object([
            .init("element", ids[node.name]?.json ?? .null), .init("name", .string(node.name)),
            .init("parent", node.parentName.map { .string($0) } ?? .null),
            .init("isAbstract", .boolean(node.isAbstract)), .init("isPlaced", .boolean(isPlaced)),
            .init("summary", .string(node.summary)), .init("frame", frame.json),
            .init("rows", .array(rows)),
        ])
    }

    private static func json(
        _ line: GraphLayout.Line, _ graph: ModelGraph, _ ids: [String: ElementID]
    ) -> JSONValue {
        var members: [JSONValue.Member]
        switch line.subject {
        case .inheritance(let child):
            members = [
                .init("kind", .string("inheritance")), .init("from", .integer(Int64(child))),
                .init("to", graph.parents[child].map { .integer(Int64($0)) } ?? .null),
            ]
        case .link(let index):
            let link = graph.links[index]
            members = [
                .init("kind", .string("link")), .init("from", .integer(Int64(link.from.node))),
                .init("to", .integer(Int64(link.to.node))),
                .init("summary", .string(link.summary(in: graph))),
                .init("there", json(link.from, graph, ids)), .init("back", json(link.to, graph, ids)),
            ]
        }
        members.append(.init("path", line.path.json))
        return .object(members)
    }

    /// Returns the relationship that leads away from an end; null if there is none.
    private static func json(
        _ end: ModelGraph.Link.End, _ graph: ModelGraph, _ ids: [String: ElementID]
    ) -> JSONValue {
        guard let relationship = end.relationship else { return .null }
        return .object([
            .init("element", ids["\(graph.nodes[end.node].name).\(relationship.name)"]?.json ?? .null),
            .init("row", end.row.map { .integer(Int64($0)) } ?? .null),
            .init("name", .string(relationship.name)), .init("isToMany", .boolean(relationship.isToMany)),
            .init("isOptional", .boolean(relationship.isOptional)),
            .init("isOrdered", .boolean(relationship.isOrdered)),
            .init("deleteRule", .string("\(relationship.deleteRule)")),
        ])
    }
}

extension ModelGraph.Row.Kind {
    fileprivate var name: String {
        switch self {
        case .attribute: "attribute"
        case .relationship: "relationship"
        case .fetchedProperty: "fetchedProperty"
        }
    }
}

extension GraphRect {
    /// The left and upper edge, the width and the height.
    fileprivate var json: JSONValue {
        .array([minX, minY, size.width, size.height].map { .double($0) })
    }
}

extension GraphPath {
    /// The points: of a curve its start, then two controls and an end for each piece.
    fileprivate var json: JSONValue {
        let (name, points) =
            switch self {
            case .curve(let points): ("curve", points)
            case .straight(let points): ("straight", points)
            }
        return .object([
            .init("kind", .string(name)),
            .init("points", .array(points.flatMap { [JSONValue.double($0.x), .double($0.y)] })),
        ])
    }
}
