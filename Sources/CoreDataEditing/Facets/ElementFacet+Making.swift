import CoreDataJSON
import CoreDataModelFormat

/// An element with attributes that mean nothing to the framework. A setting that is written takes the place
/// of a spelling that was kept there.
protocol EditorAttributed: Sendable, SendableMetatype {
    var editorAttributes: [String: String] { get set }
}

/// Makes facets of the common types. `xml` names the attributes of the file that hold the setting.
extension ElementFacet where Element: EditorAttributed {
    typealias Key<Value> = any WritableKeyPath<Element, Value> & Sendable

    static func flag(
        _ name: String, _ title: String, _ key: Key<Bool>, xml: String
    ) -> ElementFacet {
        ElementFacet(name: name, title: title, type: .flag) {
            .boolean($0[keyPath: key])
        } write: { (element, value) throws(FacetMismatch) in
            element[keyPath: key] = try value.flag
            element.editorAttributes[xml] = nil
        }
    }

    static func number(
        _ name: String, _ title: String, _ key: Key<Int>, xml: String...
    ) -> ElementFacet {
        ElementFacet(name: name, title: title, type: .number) {
            .integer(Int64($0[keyPath: key]))
        } write: { (element, value) throws(FacetMismatch) in
            guard case .integer(let number) = value, let number = Int32(exactly: number) else {
                throw FacetMismatch(FacetType.number.expected)
            }
            element[keyPath: key] = Int(number)
            for attribute in xml { element.editorAttributes[attribute] = nil }
        }
    }

    /// Makes a facet of a text, whose empty text is none.
    static func text(
        _ name: String, _ title: String, _ key: Key<String?>, xml: String
    ) -> ElementFacet {
        ElementFacet(name: name, title: title, type: .text) {
            JSONValue(text: $0[keyPath: key])
        } write: { (element, value) throws(FacetMismatch) in
            let text = try value.text
            element[keyPath: key] = text?.isEmpty == true ? nil : text
            element.editorAttributes[xml] = nil
        }
    }

    static func choice<Choice: Sendable & Equatable>(
        _ name: String, _ title: String, _ choices: KeyValuePairs<String, Choice>, xml: String,
        shown: FacetPresence = .whenSet,
        read: @escaping @Sendable (Element) -> Choice,
        write: @escaping @Sendable (inout Element, Choice) -> Void
    ) -> ElementFacet {
        let words = choices.map { $0.key }
        let values = choices.map { $0.value }
        return ElementFacet(name: name, title: title, type: .choice(words), shown: shown) { element in
            values.firstIndex(of: read(element)).map { .string(words[$0]) } ?? .null
        } write: { (element, value) throws(FacetMismatch) in
            guard let word = value.string, let index = words.firstIndex(of: word) else {
                throw FacetMismatch(FacetType.choice(words).expected)
            }
            write(&element, values[index])
            element.editorAttributes[xml] = nil
        }
    }

    static func names(
        _ name: String, _ title: String, _ key: Key<[String]>
    ) -> ElementFacet {
        ElementFacet(name: name, title: title, type: .names) {
            JSONValue(names: $0[keyPath: key])
        } write: { (element, value) throws(FacetMismatch) in
            guard let names = value.names else { throw FacetMismatch(FacetType.names.expected) }
            element[keyPath: key] = names
        }
    }

    static func lists(
        _ name: String, _ title: String, _ key: Key<[[String]]>
    ) -> ElementFacet {
        ElementFacet(name: name, title: title, type: .lists) { element in
            .array(element[keyPath: key].map { JSONValue(names: $0) })
        } write: { (element, value) throws(FacetMismatch) in
            guard case .array(let lists) = value, !lists.contains(where: { $0.names?.isEmpty ?? true }) else {
                throw FacetMismatch(FacetType.lists.expected)
            }
            element[keyPath: key] = lists.map { $0.names ?? [] }
        }
    }

    static func userInfo(
        _ key: Key<[UserInfoEntry]>,
        isKeptEmpty: Key<Bool>
    ) -> ElementFacet {
        ElementFacet(name: "userInfo", title: "user info", type: .entries) { element in
            .object(element[keyPath: key].map { JSONValue.Member($0.key, .string($0.value)) })
        } write: { (element, value) throws(FacetMismatch) in
            guard case .object(let members) = value, members.allSatisfy({ $0.value.string != nil }) else {
                throw FacetMismatch(FacetType.entries.expected)
            }
            element[keyPath: key] = members.map { UserInfoEntry(key: $0.key, value: $0.value.string ?? "") }
            element[keyPath: isKeptEmpty] = false
        }
    }

    /// Makes a facet of an attribute of the file that means nothing to the framework, but something to the
    /// editor.
    static func editorFlag(_ name: String, _ title: String, xml: String) -> ElementFacet {
        ElementFacet(name: name, title: title, type: .flag, shown: .never) {
            .boolean($0.editorAttributes[xml] == "YES")
        } write: { (element, value) throws(FacetMismatch) in
            element.editorAttributes[xml] = try value.flag ? "YES" : nil
        }
    }

    static func editorText(_ name: String, _ title: String, xml: String) -> ElementFacet {
        ElementFacet(name: name, title: title, type: .text, shown: .never) {
            JSONValue(text: $0.editorAttributes[xml])
        } write: { (element, value) throws(FacetMismatch) in
            element.editorAttributes[xml] = try value.text
        }
    }
}

extension JSONValue {
    var flag: Bool {
        get throws(FacetMismatch) {
            guard case .boolean(let flag) = self else { throw FacetMismatch(FacetType.flag.expected) }
            return flag
        }
    }

    var text: String? {
        get throws(FacetMismatch) {
            switch self {
            case .null: return nil
            case .string(let text): return text
            default: throw FacetMismatch(FacetType.text.expected)
            }
        }
    }
}
