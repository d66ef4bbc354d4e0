/// The measures of boxes.
package enum GraphMetrics {
    package static let headerHeight = 32.0
    package static let rowHeight = 21.0
    package static let footerHeight = 7.0
    package static let margin = 12.0
    static let nameSize = 14.0
    static let textSize = 12.0
    static let flagSize = 9.5
    static let leastWidth = 112.0
    static let greatestWidth = 420.0
    /// The distance between boxes.
    static let gap = 30.0
    /// The distance between a parent and what is below it.
    static let generationGap = 48.0
    /// The space for lines between two columns, without the part that grows with their number.
    static let gutter = 76.0

    static func size(of node: ModelGraph.Node) -> GraphSize {
        let name = GraphText.width(node.name, size: nameSize, isBold: true)
        let rows = node.rows.map { row in
            GraphText.width(row.name, size: textSize) + flagsWidth(row) + 18
                + GraphText.width(row.type, size: textSize)
        }
        let width = min(greatestWidth, max(leastWidth, ([name] + rows).max()! + 2 * margin))
        let height =
            headerHeight + (rows.isEmpty ? 0 : Double(rows.count) * rowHeight + footerHeight)
        return GraphSize(width: width.rounded(.up), height: height)
    }

    static func flagWidth(_ flag: String) -> Double { GraphText.width(flag, size: flagSize) + 8 }

    static func flagsWidth(_ row: ModelGraph.Row) -> Double {
        row.flags.reduce(0) { $0 + flagWidth($1) + 4 }
    }

    /// Returns the height, from the top of its box, at which a line ends.
    static func portHeight(ofRow row: Int?) -> Double {
        row.map { headerHeight + (Double($0) + 0.5) * rowHeight } ?? headerHeight / 2
    }
}
