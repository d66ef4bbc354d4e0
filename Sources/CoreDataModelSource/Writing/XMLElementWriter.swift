/// A writer of XML in the editor's style: indented by four spaces, self-closing tags for empty elements,
/// attributes in the editor's order.
struct XMLElementWriter {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    private var depth = 0

    /// Writes an element; attributes that are not in `order` follow the others, sorted by name.
    mutating func element(
        _ name: String,
        _ attributes: [String: String] = [:],
        order: [String] = [],
        isEmpty: Bool = false,
        content: (inout XMLElementWriter) -> Void = { _ in }
    ) {
        text += indentation + "<" + name
        for (key, value) in Self.sorted(attributes, order) { text += " \(key)=\"\(Self.escaped(value))\"" }
        guard !isEmpty else {
            text += "/>\n"
            return
        }
        text += ">\n"
        let start = text.utf8.count
        depth += 1
        content(&self)
        depth -= 1
        if text.utf8.count == start {
            text.removeLast(2)
            text += "/>\n"
        } else {
            text += indentation + "</\(name)>\n"
        }
    }

    private var indentation: String { String(repeating: "    ", count: depth) }

    private static func sorted(
        _ attributes: [String: String], _ order: [String]
    ) -> [(key: String, value: String)] {
        let known = order.compactMap { key in attributes[key].map { (key: key, value: $0) } }
        let others = attributes.filter { !order.contains($0.key) }
        return known + others.sorted { $0.key < $1.key }
    }

    private static func escaped(_ value: String) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case "\"": result += "&quot;"
            case "\n", "\r", "\t": result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
