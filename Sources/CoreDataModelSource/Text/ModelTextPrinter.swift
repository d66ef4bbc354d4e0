package import CoreDataModelFormat
import CoreDataValues

/// A printer of the text form of models, from which `ModelTextReader` makes the same document again.
package struct ModelTextPrinter {
    private let document: ModelDocument
    private let common: CommonFields

    package init(_ document: ModelDocument) {
        self.document = document
        common = CommonFields(of: document)
    }

    /// Returns the text of a package. If there are several versions, each begins with a line that names it.
    package static func text(of package: ModelPackage) -> String {
        package.versions.map { version in
            let mark = version.name == package.currentVersionName ? " current" : ""
            return (package.versions.count > 1 ? "version \(TextSpelling.name(version.name))\(mark)\n\n" : "")
                + ModelTextPrinter(version.document).text
        }.joined(separator: "\n")
    }

    /// The text, which ends in a line break.
    package var text: String {
        var sections = [header]
        sections += document.entities.map { lines($0) }
        sections += [document.fetchRequests.flatMap { [line($0)] + Self.lines($0.extras, depth: 1) }]
        sections += [document.configurations.flatMap { [Self.line($0)] + Self.lines($0.extras, depth: 1) }]
        sections += document.composites.map { lines($0) } + [diagram]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
            .joined(separator: "\n")
    }

    // MARK: The model

    private var header: [String] {
        var words = ["model"]
        let identifiers = document.versionIdentifiers.map(TextSpelling.quoted)
        if !identifiers.isEmpty { words.append(identifiers.joined(separator: ", ")) }
        words += [CommonFields.text(document.editorAttributes, besides: [:])].compactMap { $0 }
        let form = document.form
        words += Self.word("head", form.head)
        words += Self.word("tail", form.tail.isEmpty ? nil : form.tail)
        words += Self.word(
            "indentation", form.indentation == SourceForm().indentation ? nil : form.indentation)
        words += Self.word("carriage-returns", if: form.endsLinesWithCarriageReturns)
        return (words.count > 1 ? [words.joined(separator: " ")] : [])
            + Self.lines(document.extras, depth: 0) + common.lines
    }

    private static func line(_ configuration: ConfigurationElement) -> String {
        let members = configuration.entityNames.map { TextSpelling.name($0) }.joined(separator: ", ")
        return "configuration \(TextSpelling.name(configuration.name))"
            + (members.isEmpty ? "" : ": \(members)")
            + Self.spaced(CommonFields.text(configuration.editorAttributes, besides: [:]))
    }

    private func lines(_ composite: CompositeElement) -> [String] {
        ["composite \(TextSpelling.name(composite.name))"]
            + composite.attributes.flatMap { lines($0, reserved: ["extra"]) }
            + Self.lines(composite.extras, depth: 1)
    }

    private var diagram: [String] {
        guard !document.layout.isEmpty else { return [] }
        return ["diagram"] + document.layout.map { "  " + Self.text($0.attributes) }
    }

    private static func text(_ place: [String: String]) -> String {
        let numbers = ["positionX", "positionY", "width", "height"].compactMap { place[$0] }
        guard let name = place["name"], numbers.count == 4, place.count == 5 else {
            return CommonFields.text(place, besides: [:]) ?? "[]"
        }
        return ([TextSpelling.name(name)] + numbers.map(TextSpelling.text)).joined(separator: " ")
    }

    static func spaced(_ text: String?) -> String { text.map { " \($0)" } ?? "" }

    // MARK: Entities

    private func lines(_ entity: EntityElement) -> [String] {
        var words = [TextSpelling.name(entity.name, reserved: ModelTextReader.topLevelWords)]
        if let parent = entity.parentName { words[0] += ": \(TextSpelling.name(parent))" }
        if entity.isAbstract { words.append("abstract") }
        words += Self.word("class", entity.className)
        words += Self.word(
            "codegen", entity.codeGeneration == .manual ? nil : entity.codeGeneration.rawValue)
        words += Self.word("was", entity.renamingIdentifier)
        words += Self.word("hash", entity.versionHashModifier)
        words += Self.word("shown", entity.spotlightDisplayNameExpression)
        words += [CommonFields.text(entity.editorAttributes, besides: common.entity)].compactMap { $0 }
        let reserved = ModelTextReader.entityPartWords
        var lines = [words.joined(separator: " ")]
        lines += entity.attributes.flatMap { self.lines($0, reserved: reserved) }
        lines += entity.relationships.flatMap { self.lines($0, reserved: reserved) }
        lines += entity.fetchedProperties.flatMap { self.lines($0, reserved: reserved) }
        lines += entity.uniquenessConstraints.map { "  unique" + Self.list($0) }
        lines += entity.compoundIndexes.map { "  compound" + Self.list($0) }
        lines += entity.fetchIndexes.flatMap { [Self.line($0)] + Self.lines($0.extras, depth: 2) }
        return lines + Self.lines(entity.userInfo[...], entity.hasEmptyUserInfo, depth: 1)
            + Self.lines(entity.extras, depth: 1)
    }

    static func word(_ word: String, _ text: String?) -> [String] {
        text.map { ["\(word) \(TextSpelling.text($0))"] } ?? []
    }

    static func word(_ word: String, if condition: Bool) -> [String] { condition ? [word] : [] }

    static func word(_ word: String, number: Int) -> [String] { number == 0 ? [] : ["\(word) \(number)"] }

    private static func list(_ names: [String]) -> String {
        spaced(names.isEmpty ? nil : names.map { TextSpelling.name($0) }.joined(separator: ", "))
    }

    /// Returns the lines of user info.
    static func lines(_ userInfo: ArraySlice<UserInfoEntry>, _ isKeptEmpty: Bool, depth: Int) -> [String] {
        let margin = String(repeating: "  ", count: depth)
        return (isKeptEmpty ? ["\(margin)info"] : [])
            + userInfo.map { "\(margin)info \(TextSpelling.text($0.key)) = \(TextSpelling.text($0.value))" }
    }

    /// Returns the lines of the extras of an element.
    private static func lines(_ extras: [SourceExtra], _ word: String = "extra", depth: Int) -> [String] {
        extras.map { extra in
            var words = [String(repeating: "  ", count: depth) + word]
            if !extra.parents.isEmpty {
                words.append("in " + extra.parents.map(TextSpelling.text).joined(separator: ", "))
            }
            words += self.word("before", extra.successor)
            switch extra.content {
            case .text(let text): words.append(TextSpelling.quoted(text))
            case .attribute(let name, let value):
                words.append("attribute \(TextSpelling.text(name)) = \(TextSpelling.text(value))")
            }
            return words.joined(separator: " ")
        }
    }

    static func lines(_ rules: [ValidationRule]) -> [String] {
        rules.map { rule in
            let warning =
                switch rule.warning {
                case .code(let code): "code \(code)"
                case .message(let message): "message \(TextSpelling.text(message))"
                }
            return "    check \(warning) where \(TextSpelling.rest(rule.predicate))"
        }
    }

    // MARK: Properties

    private func lines(_ attribute: AttributeElement, reserved: Set<String>) -> [String] {
        let name = TextSpelling.name(attribute.name, reserved: reserved)
        let isFullText =
            attribute.userInfo.first
            == UserInfoEntry(key: AttributeElement.fullTextIndexKey, value: "YES")
        var words = ["  \(name) \(attribute.type.textName)\(attribute.isOptional ? "" : "!")"]
        words += Self.word("=", attribute.defaultValue, of: attribute.type)
        words += Self.word("transient", if: attribute.isTransient)
        words += Self.word("scalar", if: attribute.usesScalarType)
        words += Self.word("external", if: attribute.allowsExternalStorage)
        words += Self.word("preserved", if: attribute.preservesValueOnDeletion)
        words += Self.word("spotlight", if: attribute.isIndexedBySpotlight)
        words += Self.word("truth-file", if: attribute.isStoredInExternalRecord)
        words += Self.word("indexed", if: attribute.isIndexed)
        words += Self.word("encrypted", if: attribute.allowsCloudEncryption)
        words += Self.word("full-text", if: isFullText)
        words += attribute.compositeName.map { ["of \(TextSpelling.name($0))"] } ?? []
        words += Self.word("min", attribute.minimum, of: attribute.type.limitType)
        words += Self.word("max", attribute.maximum, of: attribute.type.limitType)
        words += Self.word("matches", attribute.regularExpression)
        words += Self.word("derived", attribute.derivationExpression)
        words += Self.word("transformer", attribute.valueTransformerName)
        words += Self.word("class", attribute.customClassName)
        words += Self.word("was", attribute.renamingIdentifier)
        words += Self.word("hash", attribute.versionHashModifier)
        words += [CommonFields.text(attribute.editorAttributes, besides: common.attribute)].compactMap { $0 }
        let userInfo = attribute.userInfo.dropFirst(isFullText ? 1 : 0)
        return [words.joined(separator: " ")] + Self.lines(attribute.validationRules)
            + Self.lines(userInfo, attribute.hasEmptyUserInfo, depth: 2)
            + Self.lines(attribute.extras, depth: 2)
    }

    private static func word(_ word: String, _ value: AttributeValue, of type: AttributeType) -> [String] {
        value.modelText(as: type).map { ["\(word) \($0)"] } ?? []
    }

    private func lines(_ relationship: RelationshipElement, reserved: Set<String>) -> [String] {
        let arrow = relationship.isToMany ? relationship.isOrdered ? "->>>" : "->>" : "->"
        let hasUsualInverse =
            relationship.inverseName != nil
            && relationship.inverseEntityName == relationship.destinationName
        let target =
            TextSpelling.name(relationship.destinationName)
            + (hasUsualInverse ? "." + TextSpelling.name(relationship.inverseName!) : "")
            + (relationship.isOptional ? "" : "!")
        var words = ["  \(TextSpelling.name(relationship.name, reserved: reserved)) \(arrow) \(target)"]
        if !hasUsualInverse {
            words += relationship.inverseName.map { ["inverse \(TextSpelling.name($0))"] } ?? []
            words += relationship.inverseEntityName.map { ["inverse-entity \(TextSpelling.name($0))"] } ?? []
        }
        words += relationship.deleteRule == .nullify ? [] : ["\(relationship.deleteRule)"]
        words += Self.word("transient", if: relationship.isTransient)
        words += Self.word("ordered", if: relationship.isOrdered && !relationship.isToMany)
        words += Self.word("spotlight", if: relationship.isIndexedBySpotlight)
        words += Self.word("min", number: relationship.minimumCount)
        if relationship.isToMany { words += Self.word("max", number: relationship.maximumCount) }
        words += Self.word("was", relationship.renamingIdentifier)
        words += Self.word("hash", relationship.versionHashModifier)
        words += [CommonFields.text(relationship.editorAttributes, besides: common.relationship)]
            .compactMap { $0 }
        return [words.joined(separator: " ")] + Self.lines(relationship.validationRules)
            + Self.lines(relationship.userInfo[...], relationship.hasEmptyUserInfo, depth: 2)
            + Self.lines(relationship.extras, depth: 2)
    }

    private func lines(_ property: FetchedPropertyElement, reserved: Set<String>) -> [String] {
        let request = property.fetchRequest
        let entity = request.map { TextSpelling.name($0.entityName, reserved: ["nothing"]) }
        var words = [
            "  \(TextSpelling.name(property.name, reserved: reserved)) => \(entity ?? "nothing")"
                + (property.isOptional ? "" : "!")
        ]
        words += Self.word("was", property.renamingIdentifier)
        words += [CommonFields.text(property.editorAttributes, besides: common.fetched)].compactMap { $0 }
        if let request {
            if request.name != ModelTextReader.fetchedPropertyRequestName || !request.editorAttributes.isEmpty
            {
                words.append("request \(TextSpelling.name(request.name))")
            }
            words += Self.words(request)
        }
        return [words.joined(separator: " ")]
            + Self.lines(property.userInfo[...], property.hasEmptyUserInfo, depth: 2)
            + Self.lines(property.extras, depth: 2)
            + Self.lines(request?.extras ?? [], "request-extra", depth: 2)
    }

    // MARK: Requests and indexes

    private func line(_ request: FetchRequestElement) -> String {
        let target = "\(TextSpelling.name(request.name)) => \(TextSpelling.name(request.entityName))"
        return (["request", target] + Self.words(request)).joined(separator: " ")
    }

    private static func words(_ request: FetchRequestElement) -> [String] {
        var words = [CommonFields.text(request.editorAttributes, besides: [:])].compactMap { $0 }
        words += word("limit", number: request.fetchLimit)
        words += word("offset", number: request.fetchOffset)
        words += word("batch", number: request.fetchBatchSize)
        words += word("result", number: request.resultType)
        words += word("no-subentities", if: !request.includesSubentities)
        words += word("no-property-values", if: !request.includesPropertyValues)
        words += word("no-pending-changes", if: !request.includesPendingChanges)
        words += word("no-faults", if: !request.returnsObjectsAsFaults)
        words += word("distinct", if: request.returnsDistinctResults)
        if !request.sort.isEmpty { words.append("sort " + request.sort.map(text).joined(separator: ", ")) }
        if !request.prefetchedKeyPaths.isEmpty {
            let paths = request.prefetchedKeyPaths.map(TextSpelling.text)
            words.append("prefetch " + paths.joined(separator: ", "))
        }
        return words + (request.predicate.map { ["where \(TextSpelling.rest($0))"] } ?? [])
    }

    private static func text(_ sort: FetchRequestElement.Sort) -> String {
        let path =
            sort.keyPath.hasPrefix("-") ? TextSpelling.quoted(sort.keyPath) : TextSpelling.text(sort.keyPath)
        return (sort.isAscending ? "" : "-") + path
            + (sort.selector.map { " by \(TextSpelling.text($0))" } ?? "")
    }

    private static func line(_ index: FetchIndexElement) -> String {
        let elements = index.elements.map(text).joined(separator: ", ")
        return "  index \(TextSpelling.name(index.name))" + spaced(elements.isEmpty ? nil : elements)
            + spaced(CommonFields.text(index.editorAttributes, besides: [:]))
            + (index.partialPredicate.map { " where \(TextSpelling.rest($0))" } ?? "")
    }

    private static func text(_ element: FetchIndexElement.Element) -> String {
        let signs = (element.isAscending ? "" : "-") + (element.kind == .rTree ? "^" : "")
        var words: [String] = []
        if let name = element.propertyName {
            words.append(TextSpelling.name(name, reserved: ModelTextReader.indexElementWords))
        }
        words += word("expression", element.expression)
        if words.isEmpty { words.append("nothing") }
        if element.expressionType != .undefined { words.append(element.expressionType.textName) }
        return signs + words.joined(separator: " ")
    }
}
