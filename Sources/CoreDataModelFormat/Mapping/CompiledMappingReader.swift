import CoreDataPredicates
import CoreDataValues
package import Foundation

/// A reader of compiled mapping models (xml-store §3), the bytes of a `.cdm`.
///
/// It makes no object of a class that the file names. It throws a `ModelFileError` for damaged or unknown
/// parts, and never leaves a part out, since a mapping that lacks an expression would lose values.
package struct CompiledMappingReader {
    package init() {}

    package func read(at url: URL) throws -> MappingDocument {
        do {
            return try read(ModelFileSystem().read(url))
        } catch let error as ModelFileError {
            throw error.inFile(url.path)
        }
    }

    package func read(_ data: Data) throws -> MappingDocument {
        let archive = try KeyedArchive(data)
        let root = try archive.root()
        guard root.className == "NSMappingModel" else {
            throw ModelFileError("", .notAMapping("its root is a \(root.className)"))
        }
        guard root.has("NSEntityMappings"), let mappings = root.allObjects("NSEntityMappings") else {
            throw damaged("its list of entity mappings cannot be read")
        }
        let document = MappingDocument(entities: try mappings.map(entity))
        try archive.requireWhole()
        return document
    }

    private func entity(_ object: ArchivedObject) throws -> EntityMappingElement {
        guard object.className == "NSEntityMapping", let name = object.string("NSMappingName") else {
            throw damaged("an entity mapping is a \(object.className) or has no name")
        }
        let number = object.integer("NSMappingType") ?? 0
        guard let kind = UInt(exactly: number).flatMap(EntityMappingElement.Kind.init) else {
            throw damaged("\(name): \(number) is no type of a mapping")
        }
        return EntityMappingElement(
            name: name,
            kind: kind,
            sourceName: try text("NSSourceEntityName", of: object, at: name),
            sourceHash: try hash("NSSourceEntityVersionHash", of: object, at: name),
            destinationName: try text("NSDestinationEntityName", of: object, at: name),
            destinationHash: try hash("NSDestinationEntityVersionHash", of: object, at: name),
            attributes: try properties("NSAttributeMappings", of: object, at: name),
            relationships: try properties("NSRelationshipMappings", of: object, at: name),
            source: try expression("NSSourceExpression", of: object, at: name),
            policyClassName: try text("NSEntityMigrationPolicyClassName", of: object, at: name),
            userInfo: object.userInfo)
    }

    private func properties(
        _ key: String, of object: ArchivedObject, at path: String
    ) throws -> [PropertyMappingElement] {
        guard let mappings = object.allObjects(key) else { throw damaged("\(path): \(key) cannot be read") }
        return try mappings.map { mapping in
            guard mapping.className == "NSPropertyMapping",
                let name = mapping.string("NSDestinationPropertyName")
            else { throw damaged("\(path): a property mapping is a \(mapping.className) or has no name") }
            let value = try expression("NSValueExpression", of: mapping, at: "\(path).\(name)")
            // No known file has transforms.
            guard value != nil || mapping.allObjects("NSPropertyTransforms")?.isEmpty == true else {
                throw damaged("\(path).\(name): its transforms are not understood")
            }
            return PropertyMappingElement(name: name, value: value, userInfo: mapping.userInfo)
        }
    }

    // MARK: Fields

    private func expression(
        _ key: String, of object: ArchivedObject, at path: String
    ) throws -> ExpressionNode? {
        guard object.has(key) else { return nil }
        guard let node = object.object(key)?.expressionNode else {
            let className = object.object(key)?.className ?? "nothing"
            throw damaged("\(path): \(key) is an expression that is not understood: \(className)")
        }
        return node
    }

    private func text(_ key: String, of object: ArchivedObject, at path: String) throws -> String? {
        guard object.has(key) else { return nil }
        guard let text = object.string(key) else { throw damaged("\(path): \(key) is no text") }
        return text
    }

    private func hash(_ key: String, of object: ArchivedObject, at path: String) throws -> [UInt8]? {
        guard object.has(key) else { return nil }
        guard case .data(let bytes)? = object.attributeValue(key) else {
            throw damaged("\(path): \(key) is no data")
        }
        return [UInt8](bytes)
    }

    private func damaged(_ detail: String) -> ModelFileError { ModelFileError("", .malformedArchive(detail)) }
}
