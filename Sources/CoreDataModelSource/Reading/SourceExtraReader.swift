import CoreDataModelFormat
import Foundation

/// A reader of what a source has besides the elements of the model.
struct SourceExtraReader {
    let form: SourceForm
    private let bytes: [UInt8]

    init(_ data: Data, root: XMLTree) {
        bytes = [UInt8](data)
        var form = SourceForm()
        if let feed = bytes.firstIndex(of: UInt8(ascii: "\n")), feed > 0 {
            form.endsLinesWithCarriageReturns = bytes[feed - 1] == UInt8(ascii: "\r")
        }
        let head = Self.text(bytes[..<root.range.lowerBound])
        form.head = head == XMLElementWriter.declaration ? nil : head
        form.tail = Self.text(bytes[root.range.upperBound...])
        if let child = root.children.first(where: { SourceShape.knows($0, in: root) }) {
            let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
            let before = bytes[..<child.range.lowerBound]
            let indentation = Self.text(
                before.suffix(from: before.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0))
            if !indentation.isEmpty { form.indentation = indentation }
        }
        self.form = form
    }

    /// Returns the extras of an element that a value stands for.
    func extras(of element: XMLTree) -> [SourceExtra] {
        extras(of: element, parents: [])
    }

    private func extras(of element: XMLTree, parents: [String]) -> [SourceExtra] {
        var extras = SourceShape.unknownAttributes(of: element).map { name in
            SourceExtra(parents: parents, .attribute(name, value: element.attributes[name] ?? ""))
        }
        var keys = SourceKeys()
        var former: String?
        var position = element.content.lowerBound
        for child in element.children where SourceShape.knows(child, in: element) {
            let key = keys.next(child.name, child.attributes)
            extras += texts(from: position, to: child.range.lowerBound, depth: child.depth)
                .map { SourceExtra(parents: parents, after: former, before: key, .text($0)) }
            if !SourceShape.carriers.contains(child.name) {
                extras += self.extras(of: child, parents: parents + [key])
            }
            position = child.range.upperBound
            former = key
        }
        let last = texts(from: position, to: element.content.upperBound, depth: element.depth)
        // White space alone between the tags of an element without children is not worth keeping.
        if position > element.content.lowerBound || last.contains(where: { !$0.allSatisfy(\.isWhitespace) }) {
            extras += last.map { SourceExtra(parents: parents, .text($0)) }
        }
        return extras
    }

    /// Returns the texts between two tags, without the line break and indentation of the second one.
    private func texts(from start: Int, to end: Int, depth: Int) -> [String] {
        guard start < end else { return [] }
        var texts: [String] = []
        var space = ""
        var scanner = XMLScanner(bytes, in: start..<end)
        while let (token, range) = scanner.next() {
            if case .startTag(isEmptyElement: false) = token { scanner.skipContent() }
            let text = Self.text(bytes[range.lowerBound..<scanner.position])
            guard case .text = token else {
                texts.append(space + text)
                space = ""
                continue
            }
            let end = text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? text.startIndex
            if end > text.startIndex { texts.append(String(text[..<end])) }
            space = String(text[end...])
        }
        let lead = "\n" + String(repeating: form.indentation, count: depth)
        if space.hasSuffix(lead), space != lead { texts.append(String(space.dropLast(lead.count))) }
        return texts
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
    }
}
