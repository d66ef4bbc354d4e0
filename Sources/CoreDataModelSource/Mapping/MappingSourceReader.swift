package import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues
package import Foundation

/// A reader of mapping models in the form that Xcode saves: the `xcmapping.xml` of an `.xcmappingmodel`, an
/// XML store of the editor's own entities (xml-store §3).
///
/// It throws a `ModelFileError` for a file that is damaged or inconsistent.
package struct MappingSourceReader {
    package struct Result: Sendable {
        package let source: MappingSource
        /// The editor's copies of both models, which `EditorModel` reads.
        package let sourceModelCopy: Data?
        package let destinationModelCopy: Data?
        /// The warnings about parts that were not understood and left out.
        package let diagnostics: [Diagnostic]
    }

    package static let fileName = "xcmapping.xml"

    package init() {}

    /// Reads the mapping at `url`, which is the folder or the file in it.
    package func read(at url: URL) throws -> Result {
        guard ["xcmappingmodel", "xml"].contains(url.pathExtension) else {
            throw ModelFileError(url.path, .notAMapping("expected .xcmappingmodel"))
        }
        let file = url.pathExtension == "xml" ? url : url.appendingPathComponent(Self.fileName)
        return try read(ModelFileSystem().read(file), file: file.path)
    }

    package func read(_ data: Data, file: String) throws -> Result {
        var objects = try EditorObjects(data, file: file)
        return try model(&objects)
    }

    private func model(_ objects: inout EditorObjects) throws -> Result {
        var model = try objects.only("XDDEVMAPPINGMODEL")
        let copies = try (
            objects.data("sourcemodeldata", of: &model), objects.data("destinationmodeldata", of: &model)
        )
        guard let source = model.takeText("sourcemodelpath"),
            let destination = model.takeText("destinationmodelpath")
        else { throw objects.error("the mapping names no source and destination model", model.line) }
        var entities: [(number: Int, mapping: EntityMappingSource)] = []
        for object in try objects.objects(model, "entitymappings", "XDDEVENTITYMAPPING") {
            if let mapping = try entity(object, &objects) { entities.append(mapping) }
        }
        objects.finish(model)
        // The sort is stable: each number occurs once, and mappings without a number keep their order.
        let order = entities.enumerated().sorted {
            ($0.element.number, $0.offset) < ($1.element.number, $1.offset)
        }
        return Result(
            source: MappingSource(
                sourceModelPath: source, destinationModelPath: destination,
                entities: order.map(\.element.mapping)),
            sourceModelCopy: copies.0, destinationModelCopy: copies.1, diagnostics: objects.diagnostics)
    }

    /// Reads an entity mapping; nil for one that has no entity on either side.
    private func entity(
        _ object: EditorObject, _ objects: inout EditorObjects
    ) throws -> (number: Int, mapping: EntityMappingSource)? {
        var object = object
        var mapping = EntityMappingSource(
            name: object.takeText("name"),
            sourceName: object.takeText("sourcename"),
            destinationName: object.takeText("destinationname"),
            policyClassName: object.takeText("migrationpolicyclassname"),
            source: try objects.expression(&object),
            userInfo: try objects.userInfo(&object))
        mapping.kind = try kind(&object, objects)
        guard mapping.sourceName != nil || mapping.destinationName != nil else {
            let detail = "an entity mapping has neither source nor destination"
            guard mapping.kind == nil else { throw objects.error(detail, object.line) }
            objects.warn("\(detail): it is left out", at: object)
            return nil
        }
        let number = object.take("mappingnumber").flatMap { Int($0) } ?? .max
        if object.take("autogenerateexpression") == "0", mapping.source == nil, mapping.sourceName != nil {
            throw objects.error(
                "the source of \(mapping.mappingName) should be an expression, but has none", object.line)
        }
        for attribute in try objects.objects(object, "attributemappings", "XDDEVATTRIBUTEMAPPING") {
            mapping.attributes.append(try property(attribute, &objects))
        }
        for relationship in try objects.objects(object, "relationshipmappings", "XDDEVRELATIONSHIPMAPPING") {
            mapping.relationships.append(try property(relationship, &objects))
        }
        mapping.attributes.sort { $0.name.precedesByCodePoint($1.name) }
        mapping.relationships.sort { $0.name.precedesByCodePoint($1.name) }
        objects.finish(object)
        return (number, mapping)
    }

    private func kind(
        _ object: inout EditorObject, _ objects: EditorObjects
    ) throws -> EntityMappingElement.Kind? {
        switch object.takeText("mappingtypename") {
        case nil, "Undefined": return nil
        case "Custom": return .custom
        case "Add": return .add
        case "Remove": return .remove
        case "Copy": return .copy
        case "Transform": return .transform
        case let name?: throw objects.error("\"\(name)\" is no type of a mapping", object.line)
        }
    }

    private func property(
        _ object: EditorObject, _ objects: inout EditorObjects
    ) throws -> PropertyMappingSource {
        var object = object
        guard let name = object.takeText("name") else {
            throw objects.error("a property mapping has no name", object.line)
        }
        let mapping = PropertyMappingSource(
            name: name,
            value: try objects.expression(&object),
            isGenerated: object.take("autogenerateexpression") != "0",
            sourceKeyPath: object.takeText("sourcekeypath").map(MappingExpression.sourceKeyPath),
            sourceMappingName: object.takeText("sourcemappingname"),
            userInfo: try objects.userInfo(&object))
        objects.finish(object)
        return mapping
    }
}
