import CoreDataEditing
import CoreDataJSON
import CoreDataModelFormat
import CoreDataModelSource
import Foundation

/// A source of commands for whatever model an editor holds: most can be carried out, some cannot.
struct RandomCommands {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(state: seed) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.randomElement(using: &generator)
    }

    private mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

    mutating func commands(for editor: ModelEditor) -> [ModelCommand] {
        (0..<number(1...3)).map { _ in command(for: editor) }
    }

    private mutating func command(for editor: ModelEditor) -> ModelCommand {
        guard let version = pick(editor.state.versions) else { return .removeVersion("") }
        switch number(0...40) {
        case 0: return .addVersion(name: "Model \(number(1...12))", from: chance(50) ? version.name : nil)
        case 1: return .renameVersion(version.name, to: "Model \(number(1...12))")
        case 2: return .removeVersion(version.name)
        case 3: return .setCurrentVersion(version.name)
        default: return .edit(edit(version), version: chance(50) ? version.name : nil)
        }
    }

    private mutating func edit(_ version: EditedVersion) -> DocumentCommand {
        let all = Self.addresses(in: version.document)
        let address = address(all, version)
        switch number(0...21) {
        case 0...4:
            let (draft, owner) = draft(version.document)
            return chance(70)
                ? .add(draft, to: owner, at: chance(30) ? number(0...3) : nil) : .paste([draft], into: owner)
        case 5: return .remove(chance(20) ? [address, .path(pick(all) ?? "")] : [address])
        case 6...8: return .rename(address, to: name())
        case 9: return .duplicate([address])
        case 10: return .move(address, to: number(0...4))
        case 11...15: return set(version.document, all)
        case 16:
            return .connect(
                RelationshipEnd(entity(version.document), name: chance(50) ? name() : nil, [toMany()]),
                RelationshipEnd(entity(version.document), name: chance(50) ? name() : nil, [toMany()]))
        case 17:
            let relationships = all.filter { version.document.isRelationship(at: $0) }
            let inverse = chance(20) ? nil : pick(relationships)
            return .setInverse(.path(pick(relationships) ?? ""), inverse.map { .path($0) })
        case 18:
            return .setMembers(
                address, facet: pick(["members", "userInfo", "constraints", "elements"]) ?? "",
                add: [
                    pick([
                        .string(name()), .object([.init(name(), .string(text()))]), .array([.string(name())]),
                    ]) ?? .null
                ],
                remove: chance(20) ? [.string(name())] : [])
        case 19:
            return .place([
                EntityPosition(entity(version.document), x: number(-500...500), y: number(-500...500))
            ])
        case 20:
            var other = version.document
            if chance(50), !other.entities.isEmpty { other.entities.removeLast() }
            return .replaceText(
                chance(90)
                    ? String(decoding: ModelWriter(other).contents(), as: UTF8.self)
                    : "<model><entity></model>")
        default:
            return .applyFix(
                pick(["addInverse", "rename", "removeInverse", "setType", "removeMember"]) ?? "", of: address)
        }
    }

    // MARK: Parts

    private mutating func address(_ all: [String], _ version: EditedVersion) -> ElementAddress {
        guard let path = pick(all), !chance(5) else {
            return chance(50) ? .path("Missing.\(name())") : .id(ElementID(0))
        }
        if chance(30), let id = version.id(of: path) { return .id(id) }
        return .path(path)
    }

    private static func addresses(in document: ModelDocument) -> [String] {
        var paths = document.fetchRequests.map { ElementPath.fetchRequest($0.name) }
        paths += document.configurations.map { ElementPath.configuration($0.name) }
        for entity in document.entities {
            var names = entity.attributes.map(\.name)
            names += entity.relationships.map(\.name)
            names += entity.fetchedProperties.map(\.name)
            paths.append(entity.name)
            paths += names.map { "\(entity.name).\($0)" }
            paths += entity.fetchIndexes.map { ElementPath.fetchIndex($0.name, of: entity.name) }
        }
        for composite in document.composites {
            let path = ElementPath.composite(composite.name)
            paths += [path] + composite.attributes.map { "\(path).\($0.name)" }
        }
        return paths
    }

    private mutating func entity(_ document: ModelDocument) -> ElementAddress {
        .path(pick(document.entities)?.name ?? "")
    }

    private mutating func name() -> String {
        if chance(5) { return pick(["", "1st", "a b", "é", "first", "🙂", "x\u{1}"]) ?? "" }
        return (pick(["Author", "Book", "title", "name", "books", "author", "pages", "place"]) ?? "")
            + (pick(["", "", "1", "2"]) ?? "")
    }

    private mutating func text() -> String {
        pick(["", "plain", "two\nlines", "a < b & \"c\"", "tab\tand\r\nmore", "x\u{1}", "日本 🙂", " spaces "])
            ?? ""
    }

    private mutating func toMany() -> JSONValue.Member { .init("toMany", .boolean(chance(50))) }

    private mutating func draft(_ document: ModelDocument) -> (ElementDraft, ElementAddress) {
        let kind = pick(ElementKind.allCases.filter { $0 != .model }) ?? .entity
        let owner: ElementAddress =
            switch kind {
            case .attribute where chance(20):
                .path(ElementPath.composite(pick(document.composites)?.name ?? ""))
            case .attribute, .relationship, .fetchedProperty, .index: entity(document)
            default: ""
            }
        var draft = ElementDraft(kind, name: chance(80) ? name() : nil, facets(kind, number(0...3)))
        if kind == .entity {
            draft.members = (0..<number(0...3)).map { _ in
                ElementDraft(.attribute, name: name(), facets(.attribute, 2))
            }
        }
        return (draft, owner)
    }

    private mutating func set(_ document: ModelDocument, _ all: [String]) -> DocumentCommand {
        let kind = pick(ElementKind.allCases) ?? .model
        let paths = all.filter { path in Self.kind(of: path, in: document) == kind }
        let chosen = (0..<number(1...2)).compactMap { _ in pick(paths) }
        return .set(
            chosen.isEmpty ? [""] : chosen.map { .path($0) },
            facets(chosen.isEmpty ? .model : kind, number(1...2)))
    }

    private static func kind(of path: String, in document: ModelDocument) -> ElementKind? {
        ModelEditor(document).state.current.id(of: path).flatMap {
            ModelEditor(document).state.current.element($0)?.kind
        }
    }

    private mutating func facets(_ kind: ElementKind, _ count: Int) -> [JSONValue.Member] {
        (0..<count).compactMap { _ in pick(kind.facets).map { .init($0.name, value($0.type)) } }
    }

    private mutating func value(_ type: FacetType) -> JSONValue {
        if chance(4) {
            return pick([.null, .double(1.5), .string("x"), .array([.null]), .object([])]) ?? .null
        }
        switch type {
        case .flag: return .boolean(chance(50))
        case .number: return .integer(Int64(number(-1...5)))
        case .text: return chance(30) ? .null : .string(chance(50) ? text() : expression())
        case .choice(let words): return .string(pick(words) ?? "")
        case .value:
            return pick([
                .null, .integer(7), .double(2.25), .boolean(true), .string("12"),
                .string("2020-01-01 00:00:00 +0000"),
                .string("https://example.com"), .string(text()),
            ]) ?? .null
        case .names: return JSONValue.array((0..<number(0...3)).map { _ in .string(name()) })
        case .lists:
            return .array(
                (0..<number(0...2)).map { _ in .array((0..<number(1...2)).map { _ in .string(name()) }) })
        case .entries:
            return .object((0..<number(0...2)).map { _ in .init(name(), .string(text())) })
        case .indexElements:
            return .array(
                (0..<number(0...2)).map { _ in
                    chance(50)
                        ? .string(name())
                        : .object([
                            .init("expression", .string(expression())), .init("type", .string("String")),
                            .init("descending", .boolean(chance(50))),
                        ])
                })
        }
    }

    private mutating func expression() -> String {
        let key = name()
        return pick([
            key, "\(key) == 'title'", "ANY books.\(key) > 3", "canonical:(\(key))", "author.\(key) ==",
            "books.@count",
        ]) ?? ""
    }
}

extension ModelDocument {
    fileprivate func isRelationship(at path: String) -> Bool {
        entities.contains { entity in entity.relationships.contains { "\(entity.name).\($0.name)" == path } }
    }
}
