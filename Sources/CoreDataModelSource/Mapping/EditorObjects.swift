import CoreDataModelFormat
import CoreDataPredicates
import Foundation

/// An object of the editor's store. The reader removes each attribute that it understands; the attributes
/// that remain are reported.
struct EditorObject {
    let entityName: String
    let line: Int
    private var attributes: [String: String] = [:]
    private(set) var references: [String: [String]] = [:]

    init(_ element: XMLTree) {
        entityName = element.attributes["type"]?.uppercased() ?? ""
        line = element.line
        for child in element.children {
            guard let name = child.attributes["name"]?.lowercased() else { continue }
            switch child.name {
            case "attribute": attributes[name] = child.text
            case "relationship":
                let ids = child.attributes["idrefs"] ?? ""
                references[name] = ids.split(separator: " ").map(String.init)
            default: break
            }
        }
    }

    var rest: [String] { attributes.keys.sorted() }

    mutating func take(_ name: String) -> String? { attributes.removeValue(forKey: name) }

    /// Removes and returns a text. An empty text counts as missing.
    mutating func takeText(_ name: String) -> String? { take(name).flatMap { $0.isEmpty ? nil : $0 } }
}

/// The objects in the XML store of a mapping model, which has the layout of all XML stores (xml-store §1).
struct EditorObjects {
    private let file: String
    private var objects: [String: EditorObject] = [:]
    private(set) var diagnostics: [Diagnostic] = []

    init(_ data: Data, file: String) throws {
        self.file = file
        let root = try XMLTree.parse(data, file: file, keepsText: true)
        guard root.name == "database" else {
            throw ModelFileError(file, .notAMapping("its root is \"\(root.name)\""))
        }
        for element in root.children where element.name == "object" {
            guard let id = element.attributes["id"], objects[id] == nil else {
                throw error("an object without an ID, or with that of another", element.line)
            }
            objects[id] = EditorObject(element)
        }
    }

    func only(_ entityName: String) throws -> EditorObject {
        let found = objects.values.filter { $0.entityName == entityName }
        guard let object = found.first, found.count == 1 else {
            throw ModelFileError(file, .notAMapping("it has \(found.count) objects of \(entityName)"))
        }
        return object
    }

    func objects(_ object: EditorObject, _ name: String, _ entityName: String) throws -> [EditorObject] {
        try (object.references[name] ?? []).map { id in
            guard let found = objects[id], found.entityName == entityName else {
                throw error("\(name) refers to \(id), which is no \(entityName)", object.line)
            }
            return found
        }
    }

    /// Reports the attributes of an object that the reader did not remove.
    mutating func finish(_ object: EditorObject) {
        for name in object.rest {
            warn(
                "the attribute \"\(name)\" of \(object.entityName) is not understood and left out", at: object
            )
        }
    }

    mutating func warn(_ message: String, at object: EditorObject) {
        diagnostics.append(Diagnostic(.warning, message, file: file, line: object.line))
    }

    // MARK: Archives

    func expression(_ object: inout EditorObject) throws -> ExpressionNode? {
        guard let root = try archive("valueexpressiondata", of: &object) else { return nil }
        guard let node = root.expressionNode else {
            throw error("an expression is not understood: \(root.className)", object.line)
        }
        return node
    }

    func userInfo(_ object: inout EditorObject) throws -> [UserInfoEntry] {
        try archive("userinfodata", of: &object)?.ownTexts ?? []
    }

    func data(_ name: String, of object: inout EditorObject) throws -> Data? {
        guard let text = object.takeText(name) else { return nil }
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
            throw error("\(name) is no data", object.line)
        }
        return data
    }

    private func archive(_ name: String, of object: inout EditorObject) throws -> ArchivedObject? {
        guard let data = try data(name, of: &object) else { return nil }
        do {
            return try KeyedArchive(data).root()
        } catch let failure as ModelFileError {
            throw ModelFileError(file, failure.reason, line: object.line)
        }
    }

    func error(_ detail: String, _ line: Int) -> ModelFileError {
        ModelFileError(file, .notAMapping(detail), line: line)
    }
}
