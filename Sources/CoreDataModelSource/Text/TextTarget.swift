import CoreDataModelFormat

/// The element that a line belongs to, by the lists of the document to which such lines add.
struct TextTarget {
    var userInfo: WritableKeyPath<ModelDocument, [UserInfoEntry]>?
    var hasEmptyUserInfo: WritableKeyPath<ModelDocument, Bool>?
    var rules: WritableKeyPath<ModelDocument, [ValidationRule]>?
    var extras: WritableKeyPath<ModelDocument, [SourceExtra]>?
    /// The extras of the request of a fetched property.
    var requestExtras: WritableKeyPath<ModelDocument, [SourceExtra]>?

    static func attribute(_ path: WritableKeyPath<ModelDocument, AttributeElement>) -> Self {
        Self(
            userInfo: path.appending(path: \.userInfo),
            hasEmptyUserInfo: path.appending(path: \.hasEmptyUserInfo),
            rules: path.appending(path: \.validationRules), extras: path.appending(path: \.extras))
    }

    static func relationship(_ path: WritableKeyPath<ModelDocument, RelationshipElement>) -> Self {
        Self(
            userInfo: path.appending(path: \.userInfo),
            hasEmptyUserInfo: path.appending(path: \.hasEmptyUserInfo),
            rules: path.appending(path: \.validationRules), extras: path.appending(path: \.extras))
    }

    static func fetchedProperty(
        _ path: WritableKeyPath<ModelDocument, FetchedPropertyElement>, hasRequest: Bool
    ) -> Self {
        Self(
            userInfo: path.appending(path: \.userInfo),
            hasEmptyUserInfo: path.appending(path: \.hasEmptyUserInfo),
            extras: path.appending(path: \.extras),
            requestExtras: hasRequest ? path.appending(path: \.fetchRequest!.extras) : nil)
    }

    /// The words that lines of the element begin with.
    fileprivate var words: [String] {
        [
            userInfo.map { _ in "info" }, rules.map { _ in "check" }, extras.map { _ in "extra" },
            requestExtras.map { _ in "request-extra" },
        ].compactMap { $0 }
    }
}

extension ModelTextReader {
    /// Reads a line that belongs to an element.
    mutating func detail(_ line: inout TextLine, of target: TextTarget) throws {
        guard !target.words.isEmpty else {
            throw line.error("expected a property before what belongs to one")
        }
        switch try line.word(of: target.words) {
        case "info":
            if let entry = try userInfoEntry(&line) {
                draft.document[keyPath: target.userInfo!].append(entry)
            } else {
                draft.document[keyPath: target.hasEmptyUserInfo!] = true
            }
        case "check": draft.document[keyPath: target.rules!].append(try validationRule(&line))
        case "extra": draft.document[keyPath: target.extras!].append(try extra(&line))
        default: draft.document[keyPath: target.requestExtras!].append(try extra(&line))
        }
    }

    /// Reads what follows `info`: `key = value`, or nothing for an empty element.
    private func userInfoEntry(_ line: inout TextLine) throws -> UserInfoEntry? {
        guard !line.isAtEnd else { return nil }
        let key = try line.text("a key")
        guard line.take("=") else { throw line.expected("= after the key \(key)") }
        let value = try line.text("a value")
        try line.requireEnd("nothing after the value, which is in quotation marks if it has spaces")
        return UserInfoEntry(key: key, value: value)
    }

    /// Reads what follows `check`: a code or a message, and a predicate.
    private func validationRule(_ line: inout TextLine) throws -> ValidationRule {
        let warning: ValidationRule.Warning =
            switch try line.word(of: ["code", "message"]) {
            case "code": .code(try line.integer("the number of a validation error"))
            default: .message(try line.text("a message"))
            }
        guard line.takeWord("where") else { throw line.expected("where and a predicate") }
        let rule = ValidationRule(predicate: try line.rest("a predicate"), warning: warning)
        try line.requireEnd("nothing after the predicate")
        return rule
    }

    /// Reads what follows `extra`: where it stands in the XML of its element, and what it is.
    func extra(_ line: inout TextLine) throws -> SourceExtra {
        let parents = line.takeWord("in") ? try line.list { try $0.text("the key of an XML element") } : []
        let successor = line.takeWord("before") ? try line.text("the key of an XML element") : nil
        let content: SourceExtra.Content
        if line.takeWord("attribute") {
            let name = try line.text("the name of an XML attribute")
            guard line.take("=") else { throw line.expected("= after \(name)") }
            content = .attribute(name, value: try line.text("a value"))
        } else {
            content = .text(try line.text("in, before, attribute, or XML in quotation marks"))
        }
        try line.requireEnd("nothing after the extra")
        return SourceExtra(parents: parents, before: successor, content)
    }
}
