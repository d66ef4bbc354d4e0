import CoreDataModelFormat
import CoreDataValues

/// A setting of an element of a model, as text. Default settings have no facet.
package struct Facet: Sendable, Hashable {
    package let name: String
    package let value: String

    init?(_ name: String, _ value: String?) {
        guard let value else { return nil }
        (self.name, self.value) = (name, value)
    }

    init?(_ name: String, if condition: Bool) {
        self.init(name, condition ? "yes" : nil)
    }

    /// The text of the setting in a list; for a flag, only its name.
    package var text: String { value == "yes" ? name : "\(name) \(value)" }
}

extension AttributeElement {
    package var facets: [Facet] {
        let limits = [
            Facet("default", defaultValue.text(as: type)), Facet("minimum", minimum.text(as: limitType)),
            Facet("maximum", maximum.text(as: limitType)), Facet("matches", regularExpression),
        ]
        let storage = [
            Facet("derived from", derivationExpression), Facet("composite", compositeName),
            Facet("transformer", valueTransformerName), Facet("class", customClassName),
            Facet("external storage", if: allowsExternalStorage), Facet("scalar", if: usesScalarType),
            Facet("indexed", if: isIndexed), Facet("Spotlight", if: isIndexedBySpotlight),
            Facet("preserved on deletion", if: preservesValueOnDeletion),
            Facet("encrypted in cloud", if: allowsCloudEncryption),
        ]
        let head = [
            Facet("type", type.editorName ?? "Undefined"), Facet("optional", if: isOptional),
            Facet("transient", if: isTransient),
        ]
        return (head + limits + storage).compactMap { $0 }
            + versionFacets(name, renamingIdentifier, versionHashModifier, userInfo)
            + validationRules.compactMap { Facet("validated by", $0.predicate) }
    }

    /// The type of the limits. For strings, limits are lengths.
    private var limitType: AttributeType { type == .string ? .integer64 : type }
}

extension RelationshipElement {
    package var facets: [Facet] {
        let counts = [
            Facet("minimum count", minimumCount > 0 ? String(minimumCount) : nil),
            Facet("maximum count", maximumCount > 1 ? String(maximumCount) : nil),
        ]
        let head = [
            Facet("destination", destinationName), Facet("inverse", inverseName),
            Facet("to-many", if: isToMany), Facet("ordered", if: isOrdered),
            Facet("optional", if: isOptional),
            Facet("transient", if: isTransient), Facet("on delete", deleteRule.modelName),
        ]
        return (head + counts + [Facet("Spotlight", if: isIndexedBySpotlight)]).compactMap { $0 }
            + versionFacets(name, renamingIdentifier, versionHashModifier, userInfo)
            + validationRules.compactMap { Facet("validated by", $0.predicate) }
    }
}

extension FetchedPropertyElement {
    package var facets: [Facet] {
        let request = fetchRequest
        return [
            Facet("fetches", request?.entityName), Facet("where", request?.predicate),
            Facet("sorted by", request.flatMap { $0.sort.isEmpty ? nil : $0.sortText }),
        ].compactMap { $0 } + versionFacets(name, renamingIdentifier, nil, userInfo)
    }
}

extension FetchRequestElement {
    fileprivate var sortText: String {
        sort.map { $0.keyPath + ($0.isAscending ? "" : " descending") }.joined(separator: ", ")
    }

    package var facets: [Facet] {
        [
            Facet("fetches", entityName), Facet("where", predicate),
            Facet("sorted by", sort.isEmpty ? nil : sortText),
            Facet("limit", fetchLimit > 0 ? String(fetchLimit) : nil),
        ].compactMap { $0 }
    }
}

extension FetchIndexElement {
    package var facets: [Facet] {
        let list = elements.map { element in
            let name = element.propertyName ?? element.expression ?? ""
            return name + (element.isAscending ? "" : " descending")
                + (element.kind == .rTree ? " R-tree" : "")
        }
        return [Facet("of", list.joined(separator: ", ")), Facet("where", partialPredicate)].compactMap { $0 }
    }
}

extension EntityElement {
    /// Returns the facets of an attribute. `indexed` is left out if there is also an index, since compiled
    /// models contain both.
    func facets(of attribute: AttributeElement) -> [Facet] {
        attribute.facets.filter { $0.name != "indexed" || !hasIndex(ofOnly: attribute) }
    }

    /// The facets of the entity itself.
    package var facets: [Facet] {
        [
            Facet("parent", parentName), Facet("abstract", if: isAbstract), Facet("class", className),
            Facet("codegen", codeGeneration == .manual ? nil : codeGeneration.rawValue),
            Facet("shown as", spotlightDisplayNameExpression),
            Facet("unique", uniquenessConstraints.isEmpty ? nil : Self.lists(uniquenessConstraints)),
            Facet("compound indexes", compoundIndexes.isEmpty ? nil : Self.lists(compoundIndexes)),
        ].compactMap { $0 } + versionFacets(name, renamingIdentifier, versionHashModifier, userInfo)
    }

    private static func lists(_ lists: [[String]]) -> String {
        lists.map { $0.joined(separator: "+") }.sorted().joined(separator: ", ")
    }
}

/// Returns the facets that elements of all kinds may have.
///
/// If an element was renamed and then got its old name back, the editor writes that name as the renaming
/// identifier. This is not a facet.
private func versionFacets(
    _ name: String, _ renamingIdentifier: String?, _ hashModifier: String?, _ userInfo: [UserInfoEntry]
) -> [Facet] {
    let info = userInfo.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
    return [
        Facet("renamed from", renamingIdentifier == name ? nil : renamingIdentifier),
        Facet("hash modifier", hashModifier),
        Facet("user info", info.isEmpty ? nil : info),
    ].compactMap { $0 }
}

extension RelationshipElement.DeleteRule {
    fileprivate var modelName: String {
        switch self {
        case .noAction: "no action"
        case .nullify: "nullify"
        case .cascade: "cascade"
        case .deny: "deny"
        }
    }
}
