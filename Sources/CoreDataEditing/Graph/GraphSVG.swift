import CoreDataModelFormat

/// A drawing of a model as SVG: boxes with rows, one line for each relationship and its inverse.
///
/// A line has the colour of the box that it leaves, one head where it leads to one object, two where it leads
/// to many, and is dashed on the side of a relationship that may be empty.
package struct GraphSVG {
    private let layout: GraphLayout
    private let title: String
    private static let margin = 36.0
    private static let legendHeight = 40.0

    package init(_ layout: GraphLayout, title: String) {
        self.layout = layout
        self.title = title
    }

    /// The drawing, without a line break at its end.
    package var text: String {
        let bounds = layout.bounds.insetBy(-Self.margin)
        let width = max(bounds.size.width, GraphLegend.width + 2 * Self.margin).rounded(.up)
        let height = (bounds.size.height + Self.legendHeight).rounded(.up)
        let (count, links) = (layout.graph.nodes.count, layout.graph.links.count)
        var svg = SVGWriter()
        svg.open(
            "svg",
            [
                ("xmlns", "http://www.w3.org/2000/svg"), ("class", "model"),
                (
                    "viewBox",
                    SVGWriter.numbers(bounds.minX.rounded(.down), bounds.minY.rounded(.down), width, height)
                ),
                ("width", SVGWriter.number(width)), ("height", SVGWriter.number(height)),
                ("role", "graphics-document document"), ("aria-labelledby", "title"),
            ])
        svg.element("title", [("id", "title")], text: title)
        let words = (count == 1 ? "entity" : "entities", links == 1 ? "line" : "lines")
        svg.element("desc", text: "\(count) \(words.0), \(links) \(words.1)")
        svg.raw("<style>\(GraphStyle.text)</style>")
        svg.element(
            "rect",
            [
                ("class", "paper"), ("x", SVGWriter.number(bounds.minX.rounded(.down))),
                ("y", SVGWriter.number(bounds.minY.rounded(.down))), ("width", SVGWriter.number(width)),
                ("height", SVGWriter.number(height)),
            ])
        for line in layout.lines where !line.isLink { write(line, to: &svg) }
        for line in layout.lines where line.isLink { write(line, to: &svg) }
        // Above all lines, which would cut them where several end.
        for line in layout.lines { writeHeads(of: line, to: &svg) }
        for index in layout.frames.indices { writeBox(index, to: &svg) }
        GraphLegend.write(
            at: GraphPoint(
                x: bounds.minX + Self.margin, y: bounds.maxY + Self.legendHeight / 2 - Self.margin / 2),
            to: &svg)
        svg.close("svg")
        return String(svg.text.dropLast())
    }

    // MARK: Lines

    private func write(_ line: GraphLayout.Line, to svg: inout SVGWriter) {
        switch line.subject {
        case .inheritance(let child):
            let node = layout.graph.nodes[child]
            svg.open("g", [("class", "parent")])
            svg.element("title", text: "\(node.name) is a kind of \(node.parentName ?? "")")
            svg.path("stroke", SVGWriter.path(line.path))
            svg.path("head", SVGWriter.triangle(at: line.path.end, from: line.path.directions.end, 12, 7))
            svg.close("g")
        case .link(let index):
            let link = layout.graph.links[index]
            svg.open(
                "g",
                [
                    ("class", "link hue\(GraphStyle.hue(ofNode: link.from.node))"),
                    ("role", "graphics-symbol img"),
                ])
            svg.element("title", text: link.summary(in: layout.graph))
            svg.path("halo", SVGWriter.path(line.path))
            write(link, along: line.path, to: &svg)
            svg.close("g")
        }
    }

    private func writeHeads(of line: GraphLayout.Line, to svg: inout SVGWriter) {
        guard case .link(let index) = line.subject else { return }
        let link = layout.graph.links[index]
        svg.open(
            "g", [("class", "hue\(GraphStyle.hue(ofNode: link.from.node))"), ("aria-hidden", "true")])
        head(of: link.from.relationship, at: line.path.end, from: line.path.directions.end, to: &svg)
        head(of: link.to.relationship, at: line.path.start, from: line.path.directions.start, to: &svg)
        svg.close("g")
    }

    /// Writes the line, each half dashed if the relationship on its side may be empty.
    private func write(_ link: ModelGraph.Link, along path: GraphPath, to svg: inout SVGWriter) {
        func style(_ isOptional: Bool) -> String { isOptional ? "stroke optional" : "stroke" }
        let first = (link.from.relationship ?? link.to.relationship)?.isOptional ?? false
        let second = (link.to.relationship ?? link.from.relationship)?.isOptional ?? false
        if first == second {
            svg.path(style(first), SVGWriter.path(path))
        } else {
            let halves = path.halves
            svg.path(style(first), SVGWriter.path(halves.first))
            svg.path(style(second), SVGWriter.path(halves.second))
        }
    }

    /// Writes the head of the relationship that leads to `point`, or a dot if there is none.
    private func head(
        of relationship: RelationshipElement?, at point: GraphPoint, from direction: GraphPoint,
        to svg: inout SVGWriter
    ) {
        guard let relationship else {
            let outward: Double = direction.x > point.x ? 3 : -3
            svg.element(
                "circle",
                [
                    ("class", "head"), ("cx", SVGWriter.number(point.x + outward)),
                    ("cy", SVGWriter.number(point.y)),
                    ("r", "3"),
                ])
            return
        }
        let length = 9.0
        svg.path("head", SVGWriter.triangle(at: point, from: direction, length, 4.5))
        guard relationship.isToMany else { return }
        let back: Double = direction.x > point.x ? 1 : -1
        let second = GraphPoint(x: point.x + back * (length - 1), y: point.y)
        svg.path(
            "head",
            SVGWriter.triangle(
                at: second, from: GraphPoint(x: second.x + back, y: second.y), length, 4.5))
    }

    // MARK: Boxes

    private func writeBox(_ index: Int, to svg: inout SVGWriter) {
        let node = layout.graph.nodes[index]
        let frame = layout.frames[index]
        svg.open(
            "g",
            [
                (
                    "class",
                    "entity hue\(GraphStyle.hue(ofNode: index))" + (node.isAbstract ? " abstract" : "")
                ),
                ("transform", "translate(\(SVGWriter.numbers(frame.minX, frame.minY)))"),
                ("role", "graphics-object group"), ("aria-label", node.summary),
            ])
        svg.element("title", text: node.isAbstract ? "\(node.name), abstract" : node.name)
        let (width, height) = (frame.size.width, frame.size.height)
        svg.element(
            "rect",
            [
                ("class", "box"), ("width", SVGWriter.number(width)), ("height", SVGWriter.number(height)),
                ("rx", "8"),
            ])
        let header = GraphMetrics.headerHeight
        let isClosed = node.rows.isEmpty
        svg.path(
            "header",
            "M0 8A8 8 0 0 1 8 0H\(SVGWriter.number(width - 8))A8 8 0 0 1 \(SVGWriter.number(width)) 8"
                + (isClosed
                    ? "V\(SVGWriter.number(height - 8))A8 8 0 0 1 \(SVGWriter.number(width - 8)) "
                        + "\(SVGWriter.number(height))H8A8 8 0 0 1 0 \(SVGWriter.number(height - 8))Z"
                    : "V\(SVGWriter.number(header))H0Z"))
        let name = GraphText.shortened(
            node.name, to: width - 2 * GraphMetrics.margin, size: GraphMetrics.nameSize, isBold: true)
        svg.element(
            "text",
            [("class", "name"), ("x", SVGWriter.number(width / 2)), ("y", SVGWriter.number(header / 2 + 5))],
            text: name)
        for (index, row) in node.rows.enumerated() {
            write(row, at: header + Double(index) * GraphMetrics.rowHeight, width: width, to: &svg)
            if index > 0, node.rows[index - 1].kind == .attribute, row.kind != .attribute {
                let y = SVGWriter.number(header + Double(index) * GraphMetrics.rowHeight + 0.5)
                svg.path("rule", "M0 \(y)H\(SVGWriter.number(width))")
            }
        }
        svg.close("g")
    }

    private func write(
        _ row: ModelGraph.Row, at top: Double, width: Double, to svg: inout SVGWriter
    ) {
        let margin = GraphMetrics.margin
        let baseline = SVGWriter.number(top + GraphMetrics.rowHeight / 2 + 4.2)
        let size = GraphMetrics.textSize
        let room = width - 2 * margin - GraphMetrics.flagsWidth(row) - 10
        let type = GraphText.shortened(
            row.type, to: max(room * 0.45, room - GraphText.width(row.name, size: size)), size: size)
        let name = GraphText.shortened(
            row.name, to: room - GraphText.width(type, size: size), size: size)
        let style = row.kind == .attribute ? "row" : "row relation"
        svg.element("text", [("class", style), ("x", SVGWriter.number(margin)), ("y", baseline)], text: name)
        {
            if name != row.name || type != row.type { $0.element("title", text: "\(row.name): \(row.type)") }
        }
        var x = margin + GraphText.width(name, size: size) + 5
        for flag in row.flags {
            let flagWidth = GraphMetrics.flagWidth(flag)
            svg.element(
                "rect",
                [
                    ("class", "flag"), ("x", SVGWriter.number(x)), ("y", SVGWriter.number(top + 4)),
                    ("width", SVGWriter.number(flagWidth)), ("height", "13"), ("rx", "6.5"),
                ])
            svg.element(
                "text",
                [
                    ("class", "word"), ("x", SVGWriter.number(x + flagWidth / 2)),
                    ("y", SVGWriter.number(top + 13.6)),
                ], text: flag)
            x += flagWidth + 4
        }
        svg.element(
            "text", [("class", "type"), ("x", SVGWriter.number(width - margin)), ("y", baseline)], text: type)
    }
}

extension GraphLayout.Line {
    fileprivate var isLink: Bool {
        if case .link = subject { true } else { false }
    }
}
