import CoreDataModelFormat
import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// An element of an XML file with the line on which it starts.
struct XMLTree {
    let name: String
    let attributes: [String: String]
    let line: Int
    /// The number of elements around it.
    let depth: Int
    /// The places of the element, and of the content between its tags, in the source, as offsets of bytes.
    var range = 0..<0
    var content = 0..<0
    var children: [XMLTree] = []
    /// Whether it is written as a single tag.
    private(set) var isEmptyElement = false
    /// The text between its tags, without the text of its children.
    var text = ""

    /// Returns the root element of `data`; throws a `ModelFileError` with the line of a syntax error.
    ///
    /// - Parameter keepsText: Whether elements keep their text, instead of their places.
    static func parse(_ data: Data, file: String, keepsText: Bool = false) throws -> XMLTree {
        if let problem = ForeignXML.problem(of: data) { throw ModelFileError(file, .malformedXML(problem)) }
        // `XMLParser` reads a stream in pieces; it takes at most ten megabytes of data at once.
        let parser = XMLParser(stream: InputStream(data: data))
        let builder = Builder(keepsText ? nil : XMLScanner([UInt8](data)))
        parser.delegate = builder
        let isWellFormed = parser.parse()
        if builder.isTooDeep {
            throw ModelFileError(file, .malformedXML("it is nested too deeply"), line: parser.lineNumber)
        }
        guard isWellFormed, let root = builder.root else {
            let reason = parser.parserError.map { "error \(($0 as NSError).code)" } ?? "no element"
            throw ModelFileError(file, .malformedXML(reason), line: parser.lineNumber)
        }
        return root
    }

    private final class Builder: NSObject, XMLParserDelegate {
        var root: XMLTree?
        private(set) var isTooDeep = false
        private var open: [XMLTree] = []
        /// The scanner of the same source, since the parser does not tell the places of tags; nil if elements
        /// keep their text instead.
        private var scanner: XMLScanner?

        init(_ scanner: XMLScanner?) {
            self.scanner = scanner
        }

        func parser(
            _ parser: XMLParser,
            didStartElement elementName: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            guard open.count < ForeignPropertyList.deepest else {
                isTooDeep = true
                return parser.abortParsing()
            }
            var element = XMLTree(
                name: elementName, attributes: attributes, line: parser.lineNumber, depth: open.count)
            if let (range, isEmptyElement) = scanner?.nextStartTag() {
                element.range = range
                element.content = range.upperBound..<range.upperBound
                element.isEmptyElement = isEmptyElement
            }
            open.append(element)
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            guard scanner == nil, !open.isEmpty else { return }
            open[open.count - 1].text += text
        }

        func parser(_ parser: XMLParser, foundCDATA block: Data) {
            self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
        }

        func parser(
            _ parser: XMLParser,
            didEndElement elementName: String,
            namespaceURI: String?,
            qualifiedName: String?
        ) {
            if isTooDeep { return }
            var closed = open.removeLast()
            if !closed.isEmptyElement, let end = scanner?.nextEndTag() {
                closed.content = closed.range.upperBound..<end.lowerBound
                closed.range = closed.range.lowerBound..<end.upperBound
            }
            if open.isEmpty {
                root = closed
            } else {
                open[open.count - 1].children.append(closed)
            }
        }
    }
}
