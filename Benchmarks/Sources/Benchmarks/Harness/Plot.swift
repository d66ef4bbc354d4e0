import Foundation

/// Draws how costs grow with the size of the store: a line for each suite that has sizes, as a multiple of
/// the cost at the smallest size.
struct Plot {
    private struct Line {
        let name: String
        let points: [(size: Int, ratio: Double)]
    }

    private static let width = 960.0
    private static let height = 480.0
    private static let margin = (left: 60.0, top: 40.0, right: 380.0, bottom: 50.0)
    private static let colors = [
        "#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#bf3989", "#0a7ea4", "#57606a", "#e16f24",
        "#4d2d00",
    ]

    private let lines: [Line]

    init(_ outcomes: [Outcome]) {
        var names: [String] = []
        var points: [String: [(size: Int, value: Double)]] = [:]
        for outcome in outcomes {
            guard let size = outcome.size else { continue }
            if points[outcome.suite] == nil { names.append(outcome.suite) }
            points[outcome.suite, default: []].append((size, outcome.value))
        }
        lines = names.compactMap { name in
            let sorted = points[name]!.sorted { $0.size < $1.size }
            guard sorted.count > 1, let first = sorted.first?.value, first > 0 else { return nil }
            return Line(name: name, points: sorted.map { ($0.size, $0.value / first) })
        }
    }

    var isEmpty: Bool { lines.isEmpty }

    func write(to path: String) throws {
        try Data(svg.utf8).write(to: URL(fileURLWithPath: path))
    }

    // MARK: Drawing

    private var svg: String {
        let sizes = Set(lines.flatMap { $0.points.map(\.size) }).sorted()
        let highest = max(2, (lines.flatMap { $0.points.map(\.ratio) }.max() ?? 2).rounded(.up))
        let (left, right) = (Self.margin.left, Self.width - Self.margin.right)
        let (top, bottom) = (Self.margin.top, Self.height - Self.margin.bottom)
        let (first, last) = (log10(Double(sizes.first ?? 1)), log10(Double(sizes.last ?? 10)))
        func x(_ size: Int) -> Double {
            left + (log10(Double(size)) - first) / max(last - first, .ulpOfOne) * (right - left)
        }
        func y(_ ratio: Double) -> Double { bottom - ratio / highest * (bottom - top) }

        var parts = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" \
            font-family="sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="white"/>
            \(text("Cost as the store grows, against the smallest store", left, top - 18, size: 14))
            """
        ]
        for size in sizes {
            parts.append(line(x(size), top, x(size), bottom, "#e5e7eb"))
            parts.append(text("\(size)", x(size), bottom + 18, anchor: "middle"))
        }
        parts.append(text("rows", (left + right) / 2, bottom + 38, anchor: "middle"))
        for step in 0...4 {
            let ratio = highest * Double(step) / 4
            parts.append(line(left, y(ratio), right, y(ratio), "#e5e7eb"))
            parts.append(text(String(format: "%.1f×", ratio), left - 8, y(ratio) + 4, anchor: "end"))
        }
        for (index, entry) in lines.enumerated() {
            let color = Self.colors[index % Self.colors.count]
            let points = entry.points.map { String(format: "%.1f,%.1f", x($0.size), y($0.ratio)) }
            parts.append(
                "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>"
            )
            let height = top + 10 + Double(index) * 20
            parts.append(line(right + 20, height, right + 44, height, color, width: 3))
            parts.append(text(entry.name, right + 52, height + 4))
        }
        parts.append("</svg>\n")
        return parts.joined(separator: "\n")
    }

    private func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String, width: Double = 1
    ) -> String {
        String(
            format:
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"\(color)\" stroke-width=\"%.0f\"/>",
            x1, y1, x2, y2, width)
    }

    private func text(
        _ text: String, _ x: Double, _ y: Double, anchor: String = "start", size: Int = 12
    ) -> String {
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return
            "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\" font-size=\"\(size)\">\(escaped)</text>"
    }
}
