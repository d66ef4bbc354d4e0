import CoreDataValues
import Foundation

@testable import CoreDataModelFormat

/// The `elements` file of a model that Xcode 3 wrote: an archive of its editor's objects, which the framework does not
/// read. The corpus has stores of its time and no other form of their models.
struct EditorArchive {
    private let objects: [PropertyList]

    init(_ data: Data) throws {
        objects = try BinaryPropertyListReader.read(data)["$objects"]?.array ?? []
    }

    /// What stereotypes say of an entity or a property.
    private struct Element {
        let kind: String
        let name: String
        let owner: Int
        var facts: [String: PropertyList] = [:]

        func number(_ key: String) -> Int? {
            switch facts[key] {
            case .integer(let number): Int(number)
            case .boolean(let flag): flag ? 1 : 0
            default: nil
            }
        }

        func flag(_ key: String) -> Bool { number(key) == 1 }
        func text(_ key: String) -> String? { facts[key]?.string }
    }

    private func object(_ reference: PropertyList?) -> PropertyList? {
        guard let index = reference?.uid, objects.indices.contains(index) else { return reference }
        return objects[index]
    }

    private func className(_ object: PropertyList?) -> String? {
        self.object(object?["$class"])?["$classname"]?.string
    }

    private func name(_ object: PropertyList?) -> String? {
        self.object(object?["_name"])?.string.flatMap { $0 == "$null" ? nil : $0 }
    }

    /// By the place of the object. A fact belongs to a stereotype, and that to what it is about.
    private func elements() -> [Int: Element] {
        var result: [Int: Element] = [:]
        for object in objects where className(object) == "XDUMLPropertyImp" {
            guard let stereotype = self.object(object["_owner"]),
                className(stereotype) == "XDUMLStereotypeImp",
                let index = stereotype["_owner"]?.uid, let kind = className(objects[index]),
                let key = name(object), let name = name(objects[index])
            else { continue }
            let element = Element(kind: kind, name: name, owner: objects[index]["_owner"]?.uid ?? 0)
            let value = self.object(object["_default"])
            result[index, default: element].facts[key] = self.name(value).map(PropertyList.string) ?? value
        }
        return result
    }

    func document() -> ModelDocument {
        let elements = elements()
        // The editor's field for it is empty.
        var document = ModelDocument(versionIdentifiers: [""])
        for (place, entity) in elements where entity.kind == "XDPMEntity" {
            let own = elements.values.filter { $0.owner == place }
            document.entities.append(
                EntityElement(
                    name: entity.name, className: entity.text("XD_PSK_entityClassName"),
                    isAbstract: entity.flag("XD_PSK_isAbstract"),
                    attributes: own.filter { $0.kind == "XDPMAttribute" }.compactMap(attribute),
                    relationships: own.filter { $0.kind == "XDPMRelationship" }.compactMap(relationship)))
        }
        return document
    }

    private func attribute(_ element: Element) -> AttributeElement? {
        guard let type = element.number("XD_PAttK_attributeType").flatMap({ AttributeType(rawValue: $0) })
        else {
            return nil
        }
        let transformer = element.text("XD_PAttK_valueTransformerName").flatMap { $0 == "$null" ? nil : $0 }
        return AttributeElement(
            name: element.name, type: type, isOptional: element.flag("XD_PPSK_isOptional"),
            isTransient: element.flag("XD_PPSK_isTransient"), valueTransformerName: transformer,
            isIndexed: element.flag("XD_PPSK_isIndexed"))
    }

    private func relationship(_ element: Element) -> RelationshipElement? {
        guard let destination = element.text("XD_PRK_destination") else { return nil }
        let isToMany = element.flag("XD_PRK_isToMany")
        return RelationshipElement(
            name: element.name, destinationName: destination,
            inverseName: element.text("XD_PRK_inverseRelationship"), inverseEntityName: destination,
            isOptional: element.flag("XD_PPSK_isOptional"), isTransient: element.flag("XD_PPSK_isTransient"),
            minimumCount: isToMany ? 0 : element.number("XD_PRK_minCount") ?? 0,
            maximumCount: isToMany ? 0 : 1,
            deleteRule: element.number("XD_PRK_deleteRule").flatMap(RelationshipElement.DeleteRule.init)
                ?? .nullify)
    }
}
