import CoreDataModelFormat

/// A writer of XML in the editor's style: indented, self-closing tags for empty elements, attributes in the
/// editor's order. It puts extras in their places.
package struct XMLElementWriter {
    static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"

    private(set) var text: String
    private let form: SourceForm

    init(_ form: SourceForm) {
        self.form = form
        text = form.head ?? Self.declaration
    }

    /// Writes the root element. Attributes that the editor does not know follow the others, sorted by name.
    mutating func write(_ root: SourceElement) {
        write(root, with: root.extras, depth: 0)
    }

    private mutating func write(_ element: SourceElement, with inside: [SourceExtra], depth: Int) {
        let keys = element.childKeys
        var extras = PlacedExtras(inside, among: keys)
        var attributes = element.attributes
        for extra in inside where extra.parents.isEmpty {
            if case .attribute(let name, let value) = extra.content, attributes[name] == nil {
                attributes[name] = value
            }
        }
        let lineBreak = "\n" + String(repeating: form.indentation, count: depth)
        if depth > 0 { text += lineBreak }
        text += "<" + element.name
        for (key, value) in Self.sorted(attributes, AttributeOrder.of(element)) {
            text += " \(key)=\"\(Self.escaped(value))\""
        }
        text += ">"
        let start = text.utf8.count
        for (child, key) in zip(element.children, keys) {
            write(extras.take(before: key))
            write(
                child, with: child.carriesExtras ? child.extras : extras.take(inside: key), depth: depth + 1)
        }
        // Those whose place is gone are kept here, too.
        write(extras.rest)
        if text.utf8.count == start {
            text.removeLast()
            text += "/>"
        } else {
            text += lineBreak + "</\(element.name)>"
        }
    }

    /// Ends the file and returns its text.
    consuming func finished() -> String {
        text += form.tail
        return form.endsLinesWithCarriageReturns ? text.replacing("\n", with: "\r\n") : text
    }

    private mutating func write(_ extras: [SourceExtra]) {
        for extra in extras {
            if case .text(let text) = extra.content { self.text += text }
        }
    }

    private static func sorted(
        _ attributes: [String: String], _ order: [String]
    ) -> [(key: String, value: String)] {
        let known = order.compactMap { key in attributes[key].map { (key: key, value: $0) } }
        let others = attributes.filter { !order.contains($0.key) }
        return known + others.sorted { $0.key < $1.key }
    }

    /// Returns a text as the value of an attribute, in which line breaks and tabs would be read as blanks.
    package static func escaped(_ value: String) -> String {
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
