package import CoreDataModelFormat
import CoreDataValues
package import Foundation

/// A model in the form in which Xcode archives the objects of its editor: the copies in a mapping model, and
/// the `elements` of models that Xcode 3 wrote (xml-store §3).
///
/// It reads only the parts of entities and properties that version hashes and mappings need, and leaves out
/// defaults, rules, requests and configurations.
package struct EditorModel {
    private let objects: [PropertyList]

    /// Reads the archive; throws a `ModelFileError` if the data is not a binary property list.
    package init(_ data: Data) throws {
        objects = try BinaryPropertyListReader.read(data)["$objects"]?.array ?? []
    }

    package func document() -> ModelDocument {
        let subjects = elements()
        let parents = parents()
        // The editor's field for the identifier is empty.
        var document = ModelDocument(versionIdentifiers: [""])
        for (position, entity) in subjects.sorted(by: { $0.key < $1.key }) where entity.kind == "XDPMEntity" {
            let own = subjects.values.filter { $0.owner == position }
                .sorted { $0.name.precedesByCodePoint($1.name) }
            document.entities.append(
                EntityElement(
                    name: entity.name, className: entity.text("XD_PSK_entityClassName"),
                    parentName: parents[position].flatMap { name(objects[$0]) },
                    isAbstract: entity.flag("XD_PSK_isAbstract"),
                    renamingIdentifier: entity.text("XD_PSK_elementID"),
                    versionHashModifier: entity.text("XD_PSK_versionHashModifier"),
                    attributes: own.filter { $0.kind == "XDPMAttribute" }.compactMap(attribute),
                    relationships: own.filter { $0.kind == "XDPMRelationship" }.compactMap(relationship),
                    uniquenessConstraints: elements(of: entity.facts["XDPMUniquenessConstraints"])
                        .map { elements(of: $0).compactMap(text) }))
        }
        return document
    }

    // MARK: Objects

    /// Returns the object that a reference points to. A reference to the first object stands for nil.
    private func object(_ reference: PropertyList?) -> PropertyList? {
        guard let index = reference?.uid else { return reference }
        return index > 0 && objects.indices.contains(index) ? objects[index] : nil
    }

    private func className(_ object: PropertyList?) -> String? {
        self.object(object?["$class"])?["$classname"]?.string
    }

    private func name(_ object: PropertyList?) -> String? { text(object?["_name"]) }

    /// Returns a string, or the name of an object.
    private func text(_ value: PropertyList?) -> String? {
        let found = object(value)
        return found?.string ?? object(found?["_name"])?.string
    }

    private func elements(of array: PropertyList?) -> [PropertyList] {
        object(array)?["NS.objects"]?.array ?? []
    }

    /// Returns the position of each entity's parent, by the position of the entity.
    private func parents() -> [Int: Int] {
        var result: [Int: Int] = [:]
        for object in objects where className(object) == "XDUMLGeneralizationImp" {
            guard let specific = object["_specific"]?.uid, let general = object["_general"]?.uid,
                objects.indices.contains(general)
            else { continue }
            result[specific] = general
        }
        return result
    }

    // MARK: Elements

    /// An entity or a property with the facts that the archive contains about it.
    private struct Element {
        let kind: String
        let name: String
        let owner: Int
        var facts: [String: PropertyList] = [:]

        func number(_ key: String) -> Int? {
            switch facts[key] {
            case .integer(let number): Int(exactly: number)
            case .boolean(let flag): flag ? 1 : 0
            default: nil
            }
        }

        func flag(_ key: String) -> Bool { number(key) == 1 }
        func text(_ key: String) -> String? { facts[key]?.string }
    }

    /// Returns the entities and properties by their position in the archive.
    ///
    /// In the archive, a fact refers to a stereotype, and the stereotype to the entity or property it
    /// describes.
    private func elements() -> [Int: Element] {
        var result: [Int: Element] = [:]
        for fact in objects where className(fact) == "XDUMLPropertyImp" {
            guard let stereotype = object(fact["_owner"]), className(stereotype) == "XDUMLStereotypeImp",
                let index = stereotype["_owner"]?.uid, let subject = object(.uid(index)),
                let kind = className(subject), let key = name(fact), let name = name(subject)
            else { continue }
            let element = Element(kind: kind, name: name, owner: subject["_owner"]?.uid ?? 0)
            let value = fact["_default"]
            result[index, default: element].facts[key] = text(value).map(PropertyList.string) ?? object(value)
        }
        return result
    }

    private func attribute(_ element: Element) -> AttributeElement? {
        guard let type = element.number("XD_PAttK_attributeType").flatMap({ AttributeType(rawValue: $0) })
        else { return nil }
        return AttributeElement(
            name: element.name, type: type, isOptional: element.flag("XD_PPSK_isOptional"),
            isTransient: element.flag("XD_PPSK_isTransient"),
            valueTransformerName: element.text("XD_PAttK_valueTransformerName"),
            allowsExternalStorage: element.flag("XD_PAttK_allowsExternalBinaryDataStorage"),
            isIndexed: element.flag("XD_PPSK_isIndexed"),
            renamingIdentifier: element.text("XD_PPSK_elementID"),
            versionHashModifier: element.text("XD_PPSK_versionHashModifier"))
    }

    private func relationship(_ element: Element) -> RelationshipElement? {
        guard let destination = element.text("XD_PRK_destination") else { return nil }
        let maximum = element.number("XD_PRK_maxCount") ?? 0
        return RelationshipElement(
            name: element.name, destinationName: destination,
            inverseName: element.text("XD_PRK_inverseRelationship"), inverseEntityName: destination,
            isOptional: element.flag("XD_PPSK_isOptional"), isTransient: element.flag("XD_PPSK_isTransient"),
            isOrdered: element.flag("XD_PRK_ordered"),
            minimumCount: element.number("XD_PRK_minCount") ?? 0,
            maximumCount: element.flag("XD_PRK_isToMany") ? maximum == 1 ? 0 : maximum : 1,
            deleteRule: element.number("XD_PRK_deleteRule").flatMap(RelationshipElement.DeleteRule.init)
                ?? .nullify,
            renamingIdentifier: element.text("XD_PPSK_elementID"),
            versionHashModifier: element.text("XD_PPSK_versionHashModifier"))
    }
}
