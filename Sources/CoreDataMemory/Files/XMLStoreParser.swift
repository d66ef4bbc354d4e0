import CoreDataModelFormat
import CoreDataStore
import Foundation
import FoundationXML

/// An `object` element of the file.
struct XMLStoreObject {
    struct Relationship {
        let name: String
        let references: [String]
    }

    let type: String
    let id: String
    var attributes: [(name: String, text: String)] = []
    var relationships: [Relationship] = []
}

/// The parser of an XML store, which returns its objects as texts.
final class XMLStoreParser: NSObject, XMLParserDelegate {
    private var objects: [XMLStoreObject] = []
    private var attribute: (name: String, text: String)?
    private var path: [String] = []
    private var problem: String?
    private var isComplete = false

    static func objects(in file: Data) throws(StoreError) -> [XMLStoreObject] {
        if let problem = ForeignXML.problem(of: file) { throw XMLStoreFormat.corrupt(problem) }
        let delegate = XMLStoreParser()
        // Parsed as a stream, since `XMLParser` takes at most ten megabytes at once.
        let parser = XMLParser(stream: InputStream(data: file))
        parser.delegate = delegate
        // `XMLParser` reports no error for a file that ends too soon.
        let isWellFormed = parser.parse() && delegate.isComplete
        if let problem = delegate.problem { throw XMLStoreFormat.corrupt(problem) }
        guard isWellFormed else {
            throw XMLStoreFormat.corrupt("it is malformed at line \(parser.lineNumber)")
        }
        return delegate.objects
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        path.append(name)
        switch (path.count, name) {
        case (1, "database"): break
        case (1, _): stop(parser, "its root is \"\(name)\"")
        case (2, "object"):
            guard let type = attributes["type"], let id = attributes["id"] else {
                return stop(parser, "an object without type or id in line \(parser.lineNumber)")
            }
            objects.append(XMLStoreObject(type: type, id: id))
        case (3, "attribute") where path[1] == "object":
            guard let name = attributes["name"] else {
                return stop(parser, "an attribute without name in line \(parser.lineNumber)")
            }
            attribute = (name, "")
        case (3, "relationship") where path[1] == "object":
            guard let name = attributes["name"] else {
                return stop(parser, "a relationship without name in line \(parser.lineNumber)")
            }
            let references = (attributes["idrefs"] ?? "").split(separator: " ").map(String.init)
            objects[objects.count - 1].relationships.append(.init(name: name, references: references))
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        attribute?.text += text
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        attribute?.text += String(decoding: block, as: UTF8.self)
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        path.removeLast()
        if path.isEmpty { isComplete = true }
        guard path.count == 2, let attribute else { return }
        objects[objects.count - 1].attributes.append(attribute)
        self.attribute = nil
    }

    private func stop(_ parser: XMLParser, _ reason: String) {
        if problem == nil { problem = reason }
        parser.abortParsing()
    }
}
