/// The line below a drawing that says what its signs mean.
enum GraphLegend {
    private enum Sign {
        case one
        case many
        case optional
        case parent
    }

    private static let entries: [(sign: Sign, text: String)] = [
        (.one, "to one"), (.many, "to many"), (.optional, "may be empty"), (.parent, "is a kind of"),
    ]
    private static let signWidth = 38.0
    private static let size = 11.0

    static var width: Double { entries.reduce(0) { $0 + entryWidth($1.text) } }

    private static func entryWidth(_ text: String) -> Double {
        signWidth + 8 + GraphText.width(text, size: size) + 18
    }

    static func write(at point: GraphPoint, to svg: inout SVGWriter) {
        svg.open("g", [("class", "legend"), ("aria-hidden", "true")])
        var x = point.x
        for (sign, text) in entries {
            let start = GraphPoint(x: x, y: point.y)
            let end = GraphPoint(x: x + signWidth, y: point.y)
            svg.path(
                sign == .optional ? "stroke optional" : "stroke", SVGWriter.path(.straight([start, end])))
            switch sign {
            case .one: svg.path("head", SVGWriter.triangle(at: end, from: start, 9, 4.5))
            case .many:
                svg.path("head", SVGWriter.triangle(at: end, from: start, 9, 4.5))
                let second = GraphPoint(x: end.x - 8, y: end.y)
                svg.path("head", SVGWriter.triangle(at: second, from: start, 9, 4.5))
            case .optional: break
            case .parent: svg.path("hollow", SVGWriter.triangle(at: end, from: start, 12, 7))
            }
            svg.element(
                "text", [("x", SVGWriter.number(end.x + 8)), ("y", SVGWriter.number(point.y + 4))], text: text
            )
            x += entryWidth(text)
        }
        svg.close("g")
    }
}
