import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// One element of an XML file with the line it starts on. Text between elements is dropped: a model has none.
struct XMLTree {
    let name: String
    let attributes: [String: String]
    let line: Int
    var children: [XMLTree] = []

    /// The root element of `data`; throws a `ModelFileError` that names the line of a syntax error.
    static func parse(_ data: Data, file: String) throws -> XMLTree {
        // The parser of Foundation on Linux traps on a name in anything else.
        guard String(validating: data, as: UTF8.self) != nil else {
            throw ModelFileError(file, .malformedXML("it is no UTF-8"))
        }
        let parser = XMLParser(data: data)
        let builder = Builder()
        parser.delegate = builder
        guard parser.parse(), let root = builder.root else {
            let reason = parser.parserError.map { "error \(($0 as NSError).code)" } ?? "no element"
            throw ModelFileError(file, .malformedXML(reason), line: parser.lineNumber)
        }
        return root
    }

    private final class Builder: NSObject, XMLParserDelegate {
        var root: XMLTree?
        private var open: [XMLTree] = []

        func parser(
            _ parser: XMLParser,
            didStartElement elementName: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            open.append(XMLTree(name: elementName, attributes: attributes, line: parser.lineNumber))
        }

        func parser(
            _ parser: XMLParser,
            didEndElement elementName: String,
            namespaceURI: String?,
            qualifiedName: String?
        ) {
            let closed = open.removeLast()
            if open.isEmpty {
                root = closed
            } else {
                open[open.count - 1].children.append(closed)
            }
        }
    }
}
