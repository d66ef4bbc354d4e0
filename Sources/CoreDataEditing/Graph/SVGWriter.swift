import CoreDataModelSource
import Foundation

/// A writer of SVG.
struct SVGWriter {
    private(set) var text = ""

    mutating func open(_ name: String, _ attributes: [(String, String)] = []) {
        text += "<\(name)\(Self.attributes(attributes))>\n"
    }

    mutating func close(_ name: String) { text += "</\(name)>\n" }

    mutating func raw(_ text: String) { self.text += text + "\n" }

    mutating func element(
        _ name: String, _ attributes: [(String, String)] = [], text content: String? = nil,
        children: (inout SVGWriter) -> Void = { _ in }
    ) {
        var inner = SVGWriter()
        children(&inner)
        let body = (content.map(Self.escaped) ?? "") + inner.text
        text += "<\(name)\(Self.attributes(attributes))" + (body.isEmpty ? "/>\n" : ">\(body)</\(name)>\n")
    }

    mutating func path(_ style: String, _ data: String) { element("path", [("class", style), ("d", data)]) }

    private static func attributes(_ attributes: [(String, String)]) -> String {
        attributes.map { " \($0)=\"\(escaped($1))\"" }.joined()
    }

    /// Returns the text as XML. Characters that XML does not allow are replaced.
    static func escaped(_ text: String) -> String {
        let allowed = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar {
            case "\n", "\r", "\t": scalar
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
            default: scalar
            }
        }
        // Between tags, the sign could end what was never begun: `]]>`.
        return XMLElementWriter.escaped(String(String.UnicodeScalarView(allowed)))
            .replacing(">", with: "&gt;")
    }

    // MARK: Numbers and paths

    /// Returns a number with at most one digit after the point.
    static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        guard tenths % 10 != 0 else { return String(tenths / 10) }
        return (tenths < 0 ? "-" : "") + "\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    static func numbers(_ values: Double...) -> String { values.map(number).joined(separator: " ") }

    static func path(_ path: GraphPath) -> String {
        switch path {
        case .curve(let points):
            "M\(numbers(points[0].x, points[0].y))C"
                + points.dropFirst().map { numbers($0.x, $0.y) }.joined(separator: " ")
        case .straight(let points): rounded(points)
        }
    }

    /// Returns straight pieces with round corners.
    private static func rounded(_ points: [GraphPoint]) -> String {
        var data = "M\(numbers(points[0].x, points[0].y))"
        for index in points.indices.dropFirst().dropLast() {
            let corner = points[index]
            let (before, after) = (points[index - 1], points[index + 1])
            let radius = min(8, corner.distance(to: before) / 2, corner.distance(to: after) / 2)
            let (start, end) = (toward(before, from: corner, radius), toward(after, from: corner, radius))
            data += "L\(numbers(start.x, start.y))Q\(numbers(corner.x, corner.y, end.x, end.y))"
        }
        return data + "L\(numbers(points[points.count - 1].x, points[points.count - 1].y))"
    }

    private static func toward(_ target: GraphPoint, from point: GraphPoint, _ distance: Double) -> GraphPoint
    {
        let length = max(point.distance(to: target), 0.001)
        return GraphPoint(
            x: point.x + (target.x - point.x) * distance / length,
            y: point.y + (target.y - point.y) * distance / length)
    }

    /// Returns a triangle whose tip is at a point, as seen from another.
    static func triangle(
        at tip: GraphPoint, from origin: GraphPoint, _ length: Double, _ halfWidth: Double
    ) -> String {
        let distance = max(tip.distance(to: origin), 0.001)
        let (dx, dy) = ((tip.x - origin.x) / distance, (tip.y - origin.y) / distance)
        let base = GraphPoint(x: tip.x - dx * length, y: tip.y - dy * length)
        return "M\(numbers(tip.x, tip.y))L\(numbers(base.x - dy * halfWidth, base.y + dx * halfWidth))"
            + "L\(numbers(base.x + dy * halfWidth, base.y - dx * halfWidth))Z"
    }
}
