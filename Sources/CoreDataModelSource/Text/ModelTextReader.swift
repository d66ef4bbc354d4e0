import CoreDataModelFormat

/// A reader of the text form of models.
///
/// An element begins at the left margin, its parts are indented, and what belongs to a part is indented
/// further. The first mistake throws a `ModelFileError` with line and column.
package struct ModelTextReader {
    /// A version of the model as read so far.
    struct Draft {
        var name: String?
        var isCurrent = false
        var document = ModelDocument()
        var lines: [String: Int] = [:]
    }

    /// The kinds of elements at the left margin, as far as their parts differ.
    private enum Owner {
        case other
        case entity
        case composite
        case diagram
    }

    private let file: String
    private var drafts = [Draft()]
    private var owner = Owner.other
    /// The lists that the parts of the current element add to.
    private var target = TextTarget()
    /// The indentation of the parts of the current element.
    private var partIndentation: Int?
    /// The lists that further indented lines add to.
    private var part = TextTarget()
    var common = CommonFields()

    /// Makes a reader.
    ///
    /// - Parameter file: The path that errors name.
    package init(file: String) {
        self.file = file
    }

    /// Reads the versions of a package; its name is that of the package if the text names no versions.
    package consuming func read(_ text: String, name: String) throws -> ModelPackage {
        for (index, line) in lines(of: text).enumerated() {
            guard let line = TextLine(line, number: index + 1, file: file) else { continue }
            try read(line)
        }
        do {
            for draft in drafts { try ModelBounds.require(draft.document) }
        } catch let error as ModelFileError {
            throw error.inFile(file)
        }
        let versions = drafts.map { draft in
            ModelVersion(
                name: draft.name ?? name, document: draft.document,
                locations: SourceLocations(file: file, lines: draft.lines))
        }
        let current = drafts.last { $0.isCurrent } ?? drafts[drafts.count - 1]
        return try ModelPackage(
            name: name, versions: versions, currentVersionName: current.name ?? name,
            isVersioned: drafts[0].name != nil)
    }

    private func lines(of text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    var draft: Draft {
        _read { yield drafts[drafts.count - 1] }
        _modify { yield &drafts[drafts.count - 1] }
    }

    // MARK: Lines

    private mutating func read(_ line: TextLine) throws {
        var line = line
        guard line.indentation > 0 else {
            (partIndentation, target, part, owner) = (nil, TextTarget(), TextTarget(), .other)
            return try topLevel(&line)
        }
        if let partIndentation, line.indentation > partIndentation { return try detail(&line, of: part) }
        if partIndentation == nil { partIndentation = line.indentation }
        guard line.indentation == partIndentation else {
            throw line.error("expected \(partIndentation!) spaces before a part, as before the others")
        }
        part = TextTarget()
        switch owner {
        case .other where target.extras == nil:
            throw line.error("expected no space before an element of the model")
        case .other: try detail(&line, of: target)
        case .entity: try entityPart(&line)
        case .composite: try compositePart(&line)
        case .diagram: draft.document.layout.append(try diagramElement(&line))
        }
    }

    private mutating func topLevel(_ line: inout TextLine) throws {
        let number = line.number
        if line.takeWord("version") {
            try version(&line)
        } else if line.takeWord("model") {
            try header(&line)
        } else if line.takeWord("every") {
            try common.read(&line)
        } else if line.takeWord("request") {
            let name = try line.name("the name of a fetch request")
            draft.lines[ElementPath.fetchRequest(name)] = number
            draft.document.fetchRequests.append(try fetchRequest(named: name, &line))
            target.extras = \.fetchRequests[draft.document.fetchRequests.count - 1].extras
        } else if line.takeWord("configuration") {
            draft.document.configurations.append(try configuration(&line))
            target.extras = \.configurations[draft.document.configurations.count - 1].extras
        } else if line.takeWord("composite") {
            let name = try line.name("the name of a composite")
            draft.lines[ElementPath.composite(name)] = number
            draft.document.composites.append(CompositeElement(name: name, attributes: []))
            try line.requireEnd("nothing after the name of a composite")
            owner = .composite
            target.extras = \.composites[draft.document.composites.count - 1].extras
        } else if line.takeWord("diagram") {
            try line.requireEnd("nothing after diagram")
            owner = .diagram
        } else if line.takeWord("extra") {
            draft.document.extras.append(try extra(&line))
        } else {
            draft.document.entities.append(try entity(&line))
            owner = .entity
            let last = draft.document.entities.count - 1
            target = TextTarget(
                userInfo: \.entities[last].userInfo, hasEmptyUserInfo: \.entities[last].hasEmptyUserInfo,
                extras: \.entities[last].extras)
        }
    }

    static let topLevelWords: Set<String> = [
        "version", "model", "every", "request", "configuration", "composite", "diagram", "extra",
    ]

    // MARK: The model

    private mutating func version(_ line: inout TextLine) throws {
        guard drafts[0].name != nil || drafts[0].document == ModelDocument() else {
            throw line.error("expected the first version before all elements")
        }
        let name = try line.name("the name of a version")
        guard !drafts.contains(where: { $0.name == name }) else {
            throw line.error("expected a name that no other version has")
        }
        if drafts[0].name != nil { drafts.append(Draft()) }
        draft.name = name
        draft.isCurrent = line.takeWord("current")
        try line.requireEnd("current, or nothing")
        common = CommonFields()
    }

    private mutating func header(_ line: inout TextLine) throws {
        while !line.isAtEnd {
            if try line.takeFields(into: &draft.document.editorAttributes) { continue }
            if line.takeWord("head") {
                draft.document.form.head = try line.text("the text before the XML of the model")
            } else if line.takeWord("tail") {
                draft.document.form.tail = try line.text("the text after the XML of the model")
            } else if line.takeWord("indentation") {
                draft.document.form.indentation = try line.text("the indentation of the XML")
            } else if line.takeWord("carriage-returns") {
                draft.document.form.endsLinesWithCarriageReturns = true
            } else if line.isNext("\"") {
                draft.document.versionIdentifiers += try line.list { try $0.text("a version identifier") }
            } else {
                throw line.expected(
                    "a version identifier in quotation marks, [, head, tail, indentation or carriage-returns")
            }
        }
    }

    private mutating func configuration(_ line: inout TextLine) throws -> ConfigurationElement {
        let number = line.number
        var configuration = ConfigurationElement(
            name: try line.name("the name of a configuration"), entityNames: [])
        draft.lines[ElementPath.configuration(configuration.name)] = number
        if line.take(":") { configuration.entityNames = try line.names("the name of an entity") }
        _ = try line.takeFields(into: &configuration.editorAttributes)
        try line.requireEnd(": and the names of entities, or [")
        return configuration
    }

    private func diagramElement(_ line: inout TextLine) throws -> DiagramElement {
        var fields: [String: String] = [:]
        if try !line.takeFields(into: &fields) {
            fields["name"] = try line.name("the name of an entity")
            for key in ["positionX", "positionY", "width", "height"] {
                fields[key] = try line.text("a number, the \(key) of the entity")
            }
        }
        try line.requireEnd("nothing after the place of an entity")
        return DiagramElement(attributes: fields)
    }

    // MARK: Entities

    private mutating func entity(_ line: inout TextLine) throws -> EntityElement {
        let number = line.number
        var entity = EntityElement(
            name: try line.name("the name of an entity"), editorAttributes: common.entity)
        draft.lines[entity.name] = number
        if line.take(":") { entity.parentName = try line.name("the name of the parent entity") }
        while !line.isAtEnd {
            if try line.takeFields(into: &entity.editorAttributes) { continue }
            let start = line
            switch try line.word(of: Self.entityWords) {
            case "abstract": entity.isAbstract = true
            case "class": entity.className = try line.text("the name of a class")
            case "codegen":
                let word = try line.word(of: ["class", "category"])
                entity.codeGeneration = word == "class" ? .class : .category
            case "was": entity.renamingIdentifier = try line.text("a renaming identifier")
            case "hash": entity.versionHashModifier = try line.text("a version hash modifier")
            case "shown": entity.spotlightDisplayNameExpression = try line.text("an expression")
            default: throw start.expected("a word of an entity")
            }
        }
        return entity
    }

    private static let entityWords = ["abstract", "class", "codegen", "was", "hash", "shown"]

    static let entityPartWords: Set<String> = ["unique", "compound", "index", "info", "extra"]

    private mutating func entityPart(_ line: inout TextLine) throws {
        let last = draft.document.entities.count - 1
        if line.nextWord == "info" || line.nextWord == "extra" {
            try detail(&line, of: target)
        } else if line.takeWord("unique") {
            draft.document.entities[last].uniquenessConstraints.append(
                try line.names("the name of a property"))
            try line.requireEnd(", and the name of another property")
        } else if line.takeWord("compound") {
            draft.document.entities[last].compoundIndexes.append(try line.names("the name of a property"))
            try line.requireEnd(", and the name of another property")
        } else if line.takeWord("index") {
            let index = try fetchIndex(&line, in: draft.document.entities[last].name)
            draft.document.entities[last].fetchIndexes.append(index)
            part.extras =
                \.entities[last].fetchIndexes[draft.document.entities[last].fetchIndexes.count - 1].extras
        } else {
            try property(&line, in: draft.document.entities[last].name)
        }
    }

    private mutating func compositePart(_ line: inout TextLine) throws {
        if line.nextWord == "extra" { return try detail(&line, of: target) }
        let last = draft.document.composites.count - 1
        let attribute = try attribute(&line, in: ElementPath.composite(draft.document.composites[last].name))
        draft.document.composites[last].attributes.append(attribute)
        part = .attribute(\.composites[last].attributes[draft.document.composites[last].attributes.count - 1])
    }

    private mutating func property(_ line: inout TextLine, in owner: String) throws {
        let last = draft.document.entities.count - 1
        var ahead = line
        _ = try ahead.name("the name of a property, or unique, index, compound or info")
        if ahead.isNext("->") {
            draft.document.entities[last].relationships.append(try relationship(&line, in: owner))
            part = .relationship(
                \.entities[last].relationships[draft.document.entities[last].relationships.count - 1])
        } else if ahead.isNext("=>") {
            let property = try fetchedProperty(&line, in: owner)
            draft.document.entities[last].fetchedProperties.append(property)
            part = .fetchedProperty(
                \.entities[last].fetchedProperties[draft.document.entities[last].fetchedProperties.count - 1],
                hasRequest: property.fetchRequest != nil)
        } else {
            draft.document.entities[last].attributes.append(try attribute(&line, in: owner))
            part = .attribute(
                \.entities[last].attributes[draft.document.entities[last].attributes.count - 1])
        }
    }
}

extension TextLine {
    /// Takes one of the words.
    mutating func word(of words: [String]) throws -> String {
        guard let word = nextWord, words.contains(word) else {
            let list = words.dropLast().joined(separator: ", ") + " or " + words.last!
            throw expected("one of the words \(list)")
        }
        _ = take(word)
        return word
    }
}
